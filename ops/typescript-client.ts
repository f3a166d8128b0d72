import type { OpenAPI3 } from 'openapi-typescript';
import { routes } from '../src/http/app.ts';
import { openApiDocument } from '../src/http/openapi/openapi-document.ts';
import { clientTypes } from './client-types.ts';

/** Folder of the generated sources, relative to the checkout. */
export const generatedFolder = 'clients/typescript/src/generated';

/** Generated sources of the TypeScript client, by file name. */
export async function typescriptClient(): Promise<Readonly<Record<string, string>>> {
  const text = JSON.stringify(openApiDocument(routes, 'https://proofs.example.org'));
  const document: OpenAPI3 = JSON.parse(text);
  const rootPaths = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    'servers' in item ? [path] : [],
  );
  return {
    'openapi.ts': `${notice}${await clientTypes(document)}`,
    'root-paths.ts': `${notice}/** Paths at the root of the host; all others are below \`/api/v1\`. */
export const rootPaths: ReadonlySet<string> = new Set(${JSON.stringify(rootPaths, null, 2)});
`,
  };
}

const notice =
  '// Generated from the OpenAPI document of the service: npm run client:typescript. Do not edit.\n';
