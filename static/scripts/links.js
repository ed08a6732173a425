/* Links and forms that htmx sends behave like those of a browser: with a key held they are left to
   it, which opens another tab, and of all that was asked for only the last is shown. */

/* The page asked for last, until it is shown. It ends when another is asked for or history moves.
   Asked for again at once, as by a double click or a key kept down, it just goes on. */
const AT_ONCE = 1000;  // milliseconds

/** What htmx tells of a request.
 * @typedef {object} Asked
 * @property {{action: string, body: FormData, headers: object, abort?: () => void}} request
 * @property {{raw: Response}} response
 * @property {Event} sourceEvent
 * @property {string | null} push
 * @property {string | null} replace
 * @property {string} [asked] The whole address, written by us.
 */

/** @type {Asked | undefined} */
let pending;

function end() {
  pending?.request.abort?.();
  pending = undefined;
}
addEventListener("popstate", end);
addEventListener("pagehide", end);

let isAside = false;  // whether a key was held, which a form's own event doesn't tell
addEventListener("click", (event) => {
  isAside = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  const link = /** @type {Element} */ (event.target).closest?.("a[href]");
  if (link && isAside) event.stopPropagation();
  else if (link && !link.hasAttribute("hx-get")) end();
}, true);
addEventListener("submit", (event) => { if (isAside) event.stopPropagation(); }, true);

/** @param {Asked} page */
const goesBack = ({ request }) => "HX-History-Restore-Request" in request.headers;

/* Acts on what htmx does for a page with an address of its own; parts of a tree come side by side. */
/** @param {string} name @param {(page: Asked, event: Event) => void} act */
function on(name, act) {
  document.addEventListener(`htmx:${name}`, (event) => {
    const page = /** @type {CustomEvent} */ (event).detail.ctx;
    if (page && (page.push || page.replace || goesBack(page))) act(page, event);
  });
}

on("config:request", (page, event) => {
  page.asked = `${page.request.action}?${new URLSearchParams(/** @type {any} */ (page.request.body))}`;
  const isAgain = pending && page.asked === pending.asked
    && page.sourceEvent.timeStamp - pending.sourceEvent.timeStamp < AT_ONCE;
  if (isAgain) event.preventDefault(); else end();
});
on("before:request", (page) => { pending = page; });
on("after:request", (page, event) => {
  if (page !== pending) event.preventDefault();
  if (page.response.raw.url === location.href) page.push = null;  // no page is entered twice
});
on("finally:request", (page) => { if (page === pending) pending = undefined; });

/* The address has changed already, so the browser fetches its page, or says why it can't. */
on("error", (page) => { if (page === pending && goesBack(page)) location.reload(); });
