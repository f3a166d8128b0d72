import { registerHooks } from 'node:module';
import type { OpenAPI3 } from 'openapi-typescript';

/**
 * Generates the types of a client, in TypeScript, from an OpenAPI document: its parsed JSON, or the
 * address of a served one. Rejects if the document is no OpenAPI 3.
 *
 * `openapi-typescript` needs the compiler API of TypeScript 5, which TypeScript 7 lacks.
 * TypeScript 5 is installed under another name.
 */
export async function clientTypes(document: URL | OpenAPI3): Promise<string> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
  });
  const { default: openapiTypescript, astToString } = await import('openapi-typescript');
  const { default: ts } = await import('typescript-5');
  hooks.deregister();
  const blob = ts.factory.createTypeReferenceNode('Blob');
  const types = await openapiTypescript(document, {
    // Blob for files, as in the documentation of the package. The default would be string.
    transform: ({ format }) => (format === 'binary' ? blob : undefined),
  });
  return astToString(types);
}
