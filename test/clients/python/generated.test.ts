import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import { pythonClient } from '../../../ops/python-client/python-client.ts';
import { projectRoot } from '../../support/run.ts';

test('the Python client is generated from the present OpenAPI document', async (t) => {
  for (const [path, source] of pythonClient()) {
    const kept = await readFile(join(projectRoot, path), 'utf8');
    t.ok(kept === source, `${path}: write it again with npm run client:python`);
  }
});

test('the Python client has the version of the project', async (t) => {
  const { version } = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8'));
  const stated = await readFile(join(projectRoot, 'clients/python/pyproject.toml'), 'utf8');
  t.match(stated, `\nversion = "${version}"\n`);
});
