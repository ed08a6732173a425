/** Continues what the address names and this browser has stored: a game of the computer, a puzzle or a lesson. */

const kind = location.pathname.match(/^(?:\/[a-z]{2})?\/(play|guess|learn)(?=\/|$)/)?.[1];
if (kind === "play") await (await import("./offline_play.js")).run();
else if (kind === "guess") await (await import("./offline_puzzle.js")).run();
else if (kind === "learn") await (await import("./offline_lesson.js")).run();

/* The offline page leads only to what is stored. */
for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".stored a"))) {
  link.hidden = !await caches.match(link.href, { ignoreVary: true });
}
