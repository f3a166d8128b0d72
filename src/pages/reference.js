/**
 * Shows the OpenAPI document for reading only, without calls and without a field for a key.
 */
/** @type {{ SwaggerUIBundle: ((options: object) => unknown) & { presets: { apis: unknown } } }} */
// The bundle is not a module: it sets a property of the window.
const { SwaggerUIBundle } = /** @type {any} */ (window);

const nothing = () => () => null;

SwaggerUIBundle({
  dom_id: '#reference',
  url: new URL('./api/v1/openapi.json', document.baseURI).href,
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [{ wrapComponents: { authorizeBtn: nothing, authorizeOperationBtn: nothing } }],
  layout: 'BaseLayout',
  supportedSubmitMethods: [],
  validatorUrl: null,
  deepLinking: true,
  displayOperationId: false,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  defaultModelRendering: 'example',
  defaultModelExpandDepth: 2,
  syntaxHighlight: { theme: 'tomorrow-night' },
});
