/* The site as an app: pages that were visited can be read offline, and browsers that can offer to install it. */

addEventListener("load", () => navigator.serviceWorker?.register("/worker.js"));

// The button "Install as an app" of the page "More", in browsers that can.
addEventListener("beforeinstallprompt", (event) => document.querySelectorAll("[data-install]").forEach((offer) => {
  offer.removeAttribute("hidden");
  offer.addEventListener("click", () => /** @type {Event & { prompt(): void }} */ (event).prompt());
}));
