/* Pages can be read offline as they were last seen, with the files that never change. A game, a puzzle and a lesson
   also go on offline: static/scripts/offline.js continues them from their first page. */
const NAME = {{ version|tojson }};
const FILES = {{ files|tojson }};
const PREFIXES = {{ prefixes|tojson }};
const LESSONS = {{ lessons|tojson }};
const PUZZLES = {{ puzzles|tojson }};
const GAMES = {{ games|tojson }};
const TREES = {{ trees|tojson }};

const stored = (url, ignoreSearch = false) => caches.match(url, { ignoreVary: true, ignoreSearch });
/* A part that htmx asks for is no page, so the page is asked for too, as something not looked at. */
const whole = (url) => fetch(url, { headers: { Purpose: "prefetch" } });

/* A response that followed a redirect could not answer a visit, so a new one with its content is stored. */
async function keep(answer) {
  const page = await answer, copy = page.redirected ? new Response(page.body, page) : page;
  if (page.ok && page.headers.get("Cache-Control") !== "no-store") await (await caches.open(NAME)).put(page.url, copy);
}
const keepOnce = async (url) => await stored(url) || keep(whole(url));

/* The beginning of a game, one with each tree. */
async function keepStart(path) {
  const games = await (await caches.open(NAME)).keys();
  if (!games.some(({ url }) => new URL(url).pathname.startsWith(`${path}/`))) await keep(whole(path));
}

/* The path of a page without the prefix of its language, the kind and the first page of its game, puzzle or lesson, and
   the tree. */
function partsOf(url) {
  const { pathname } = new URL(url);
  const prefix = PREFIXES.find((each) => pathname.startsWith(`${each}/`));
  const path = pathname.slice(prefix.length);
  const [first, kind, name] = path.match(/^\/(play|guess|learn)\/([a-z0-9-]+)\/[a-z0-9-]+(?=\/|$)/) ?? [];
  return { prefix, path, kind, first, tree: kind === "play" ? name : undefined };
}

/* Stores what a page needs to go on offline. The home page brings a game of each kind, today's puzzle and the
   lessons. */
async function keepRest(url) {
  const { prefix, path, kind, first, tree } = partsOf(url);
  const isHome = path === "/";
  const today = new Date().toISOString().slice(0, 10);
  const puzzles = isHome ? PUZZLES.map((puzzle) => `${puzzle}/${today}`) : kind === "guess" ? [first] : [];
  const pages = first && kind !== "guess" ? [first] : puzzles.flatMap((puzzle) => [puzzle, `${puzzle}/reveal`]);
  const lessons = isHome || /^\/learn(\/|$)/.test(path) ? LESSONS : [];
  const trees = TREES.filter((name) => name === tree || (isHome && GAMES.includes(name)));
  await Promise.allSettled([
    ...[...pages, ...lessons].map((each) => keepOnce(prefix + each)),
    ...trees.map((name) => keepOnce(`/trees/${name}.json`)),
    ...(isHome ? GAMES : []).map((name) => keepStart(`${prefix}/play/${name}`)),
  ]);
}

addEventListener("install", (event) => event.waitUntil(caches.open(NAME).then(async (cache) => {
  await cache.addAll(FILES);
  const open = await clients.matchAll({ includeUncontrolled: true });
  await Promise.allSettled(open.map(async ({ url }) => { await keep(whole(url)); await keepRest(url); }));
})));
addEventListener("activate", (event) => event.waitUntil(caches.keys().then(async (names) => {
  await Promise.all(names.filter((name) => name !== NAME).map((name) => caches.delete(name)));
  await clients.claim();
})));
addEventListener("fetch", (event) => {
  const { request } = event, { url, headers } = request, part = headers.has("HX-Request");
  const isPage = request.mode === "navigate" || headers.has("HX-History-Restore-Request");
  const plain = url.replace(/[?&]help=[^&]*$/, "");  // the board of a game does not depend on the help used
  if (url.includes("?v=")) event.respondWith(stored(url).then((file) => file ?? fetch(request)));
  // A module that another one names.
  else if (url.includes("/static/")) event.respondWith(fetch(request).catch(() => stored(url, true)));
  else if (part || isPage) event.respondWith(fetch(request).then((page) => {
    const isKept = page.ok && page.headers.get("Content-Type").startsWith("text/html");
    if (isKept) event.waitUntil(keep(part ? whole(page.url) : page.clone()).then(() => keepRest(page.url)));
    return page;
  }, async () => {
    const page = await stored(url) ?? await stored(plain), { prefix, first } = partsOf(url);
    if (!part) return page ?? stored(`${prefix}/offline`);
    const isThere = page ?? (first && await stored(prefix + first, true));
    const isWhole = /^(main#content|div#board)$/.test(headers.get("HX-Target"));
    return isThere && isWhole ? new Response("", { headers: { "HX-Redirect": url } }) : Response.error();
  }));
});
