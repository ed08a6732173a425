/* Pages can be read offline as they were last seen, with the files that never change. */
const NAME = {{ version|tojson }}, FILES = {{ files|tojson }}, OFFLINE = {{ offline|tojson }}, LESSONS = {{ lessons|tojson }};

async function keep(url, page) {
  const copy = await page;
  if (copy.ok && copy.headers.get("Cache-Control") !== "no-store") await (await caches.open(NAME)).put(url, copy);
}
/* A part that htmx asks for is no page, so the page is asked for too, as something not looked at. */
const whole = (url) => fetch(url, { headers: { Purpose: "prefetch" } });
/* The tree of a game's address, with which static/scripts/offline.js plays it to its end. */
function treeOf(url) {
  const [, name] = new URL(url).pathname.match(/\/play\/([a-z0-9-]+)\/[^/]+(?:\/[\d.-]+)?$/) ?? [];
  return name && `/api/v1/trees/${name}`;
}
async function keepTree(url) {
  const tree = treeOf(url);
  if (tree && !await caches.match(tree, { ignoreVary: true })) await (await caches.open(NAME)).add(tree);
}
/* One page of the lessons brings all their steps. */
async function keepLessons(url) {
  const [, prefix] = new URL(url).pathname.match(/^(.*)\/learn(?:\/|$)/) ?? [];
  const steps = prefix === undefined ? [] : LESSONS.map((path) => prefix + path);
  if (steps[1] && !await caches.match(steps[1], { ignoreVary: true })) await (await caches.open(NAME)).addAll(steps);
}

addEventListener("install", (event) => event.waitUntil(caches.open(NAME).then(async (cache) => {
  await cache.addAll(FILES);
  const open = await clients.matchAll({ includeUncontrolled: true });
  await Promise.allSettled(open.flatMap(({ url }) => [keep(url, whole(url)), keepTree(url), keepLessons(url)]));
})));
addEventListener("activate", (event) => event.waitUntil(caches.keys().then(async (names) => {
  await Promise.all(names.filter((name) => name !== NAME).map((name) => caches.delete(name)));
  await clients.claim();
})));
addEventListener("fetch", (event) => {
  const { request } = event, { url, headers } = request, part = headers.has("HX-Request");
  const isPage = request.mode === "navigate" || headers.has("HX-History-Restore-Request");
  const [asked, plain] = [url, url.replace(/[?&]help=[^&]*$/, "")].map((key) => () => caches.match(key, { ignoreVary: true }));
  const stored = async () => await asked() ?? plain();  // the board of a game does not depend on the help used
  if (url.includes("?v=")) event.respondWith(stored().then((file) => file ?? fetch(request)));
  else if (url.includes("/static/")) {  // a module that another one names
    event.respondWith(fetch(request).catch(() => caches.match(url, { ignoreSearch: true, ignoreVary: true })));
  } else if (part || isPage) event.respondWith(fetch(request).then((page) => {
    const isKept = page.ok && page.headers.get("Content-Type").startsWith("text/html")
      && page.headers.get("Cache-Control") !== "no-store";
    if (isKept) event.waitUntil(Promise.all([keepTree(page.url), keepLessons(page.url), keep(page.url, part ? whole(page.url) : page.clone())]));
    return page;
  }, async () => {
    const page = await stored(), tree = treeOf(url), isWhole = /^(main#content|div#board)$/.test(headers.get("HX-Target"));
    if (!part) return page ?? caches.match(OFFLINE.find(([prefix]) => new URL(url).pathname.startsWith(prefix))[1]);
    const [puzzle] = new URL(url).pathname.match(/^.*\/guess\/\w+\/[\w-]+(?=\/|$)/) ?? [];  // continued by offline_puzzle.js
    const base = tree ?? puzzle, isThere = page ?? (base && await caches.match(base, { ignoreSearch: true, ignoreVary: true }));
    return isThere && isWhole ? new Response("", { headers: { "HX-Redirect": url } }) : Response.error();
  }));
});
