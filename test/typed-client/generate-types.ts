import { writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';

/**
 * Writes the types made by `openapi-typescript` from a served document. The arguments are URL and
 * file. A separate program, since it needs the compiler API of TypeScript 5, which TypeScript 7
 * lacks. TypeScript 5 is installed beside it under another name.
 */
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
});

const { default: openapiTypescript, astToString } = await import('openapi-typescript');
const { default: ts } = await import('typescript-5');

const [, , url = '', file = ''] = process.argv;
const blob = ts.factory.createTypeReferenceNode('Blob');
const types = await openapiTypescript(new URL(url), {
  // Blob for files, as in the documentation of the package. The default would be string.
  transform: ({ format }) => (format === 'binary' ? blob : undefined),
});
await writeFile(file, astToString(types));
