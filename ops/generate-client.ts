import { writeFile } from 'node:fs/promises';
import { clientTypes } from './client-types.ts';

/**
 * Generates the types of a client from a served OpenAPI document: `npm run client -- URL FILE`. By
 * default reads the document of a local service, and writes `proofmark.d.ts`.
 */
const [, , url = 'http://127.0.0.1:3000/api/v1/openapi.json', file = 'proofmark.d.ts'] =
  process.argv;
await writeFile(file, await clientTypes(new URL(url)));
