import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import { isIdempotent } from '../../../clients/typescript/src/calls/idempotent.ts';
import { generatedFolder, typescriptClient } from '../../../ops/typescript-client.ts';
import { documentOf, type Json } from '../../support/contract/closed-document.ts';
import { projectRoot } from '../../support/run.ts';

const readJson = async (path: string) =>
  JSON.parse(await readFile(join(projectRoot, path), 'utf8'));

test('the generated sources are those of the OpenAPI document: npm run client:typescript', async (t) => {
  for (const [name, text] of Object.entries(await typescriptClient())) {
    const kept = await readFile(join(projectRoot, generatedFolder, name), 'utf8');
    t.ok(kept === text, `${name} differs`);
  }
});

test('calls that may be repeated are described as idempotent, or only read', async (t) => {
  const posts = Object.entries<Json>(documentOf().paths).filter(([, item]) => item.post);
  const repeated = posts.flatMap(([path]) => (isIdempotent('POST', path) ? [path] : []));
  t.strictSame(repeated, [
    '/proofs',
    '/proofs/batch',
    '/proofs/lookup',
    '/documents',
    '/agent/runs',
  ]);
});

test('the package needs exactly the versions that the project is tested with', async (t) => {
  const client = await readJson('clients/typescript/package.json');
  const lock = await readJson('package-lock.json');
  for (const [name, version] of Object.entries(client.dependencies)) {
    t.equal(lock.packages[`node_modules/${name}`].version, version, name);
  }
  t.equal(client.version, (await readJson('package.json')).version);
  t.notOk(client.private);
});
