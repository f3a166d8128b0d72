import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pythonClient } from './python-client/python-client.ts';

/** Writes the generated modules of the Python client: `npm run client:python`. */
const root = resolve(import.meta.dirname, '..');
for (const [path, source] of pythonClient()) await writeFile(join(root, path), source);
