import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { generatedFolder, typescriptClient } from './typescript-client.ts';

/** Writes the generated sources of the TypeScript client: `npm run client:typescript`. */
const root = resolve(import.meta.dirname, '..');
for (const [name, text] of Object.entries(await typescriptClient())) {
  await writeFile(join(root, generatedFolder, name), text);
}
