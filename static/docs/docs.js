// Shows the API's description in the vendored Swagger UI. A file of its own, because the content
// policy allows no inline script.
SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#docs",
  deepLinking: true,
  validatorUrl: null,
});
