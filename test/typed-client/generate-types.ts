import { writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';

/**
 * Writes the types that `openapi-typescript` makes of a served document: URL and file are the
 * arguments. Run as a program of its own, since it needs the compiler interface of TypeScript 5, which
 * TypeScript 7 does not have: it is installed beside it under another name.
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
  // As its documentation says for files: a string would be the default.
  transform: ({ format }) => (format === 'binary' ? blob : undefined),
});
await writeFile(file, astToString(types));
