// Shows the API's description in the vendored Swagger UI. A file of its own, because the content
// policy allows no inline script. Links to each request would stand within its button.
SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#docs",
  deepLinking: false,
  validatorUrl: null,
  defaultModelsExpandDepth: -1,  // each is shown where it is used
  onComplete() {
    const about = document.querySelector(".information-container");
    about.setAttribute("role", "region");
    about.setAttribute("aria-label", "JSON API");
    for (const tag of document.querySelectorAll(".opblock-tag")) tag.setAttribute("aria-level", "2");
  },
});
