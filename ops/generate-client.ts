import { writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';

/**
 * Generates the types of a client from a served OpenAPI document: `npm run client -- URL FILE`. By
 * default reads the document of a local service, and writes `proofmark.d.ts`.
 *
 * `openapi-typescript` needs the compiler API of TypeScript 5, which TypeScript 7 lacks.
 * TypeScript 5 is installed under another name.
 */
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
});

const { default: openapiTypescript, astToString } = await import('openapi-typescript');
const { default: ts } = await import('typescript-5');

const [, , url = 'http://127.0.0.1:3000/api/v1/openapi.json', file = 'proofmark.d.ts'] =
  process.argv;
const blob = ts.factory.createTypeReferenceNode('Blob');
const types = await openapiTypescript(new URL(url), {
  // Blob for files, as in the documentation of the package. The default would be string.
  transform: ({ format }) => (format === 'binary' ? blob : undefined),
});
await writeFile(file, astToString(types));
