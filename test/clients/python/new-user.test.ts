import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import { newFolder } from '../../support/blobs.ts';
import { readDocument } from '../../support/documents.ts';
import { onThisMachine } from '../../support/on-this-machine.ts';
import { firstKey, newDataDir, startProgram, stop } from '../../support/program.ts';
import { noPython } from '../../support/python-client.ts';
import { projectRoot, run } from '../../support/run.ts';

const noVenv =
  noPython ||
  (spawnSync('python3', ['-c', 'import ensurepip']).status !== 0 &&
    'NO PYTHON3-VENV, so no Python client is installed');

if (noVenv) console.error(noVenv);

const { blocks } = readDocument('docs/api.md');
const shell = blocks.find(({ language, text }) => language === 'bash' && /venv/.test(text));
const program = blocks.find(
  ({ language, text }) => language === 'python' && /prove_all/.test(text),
);

test('a new user installs the Python client, and proves and verifies ten files in a minute', {
  skip: noVenv,
}, async (t) => {
  if (shell === undefined || program === undefined) throw new Error('the guide has no example');
  const service = await startProgram(t, { DATA_DIR: await newDataDir(t) });
  const { key } = await firstKey(service);
  const cwd = await newFolder(t);
  await writeFile(join(cwd, 'prove.py'), program.text);
  // No package index can be reached: the installation must need none.
  const env = { REPOSITORY: projectRoot, ROOT: service.address, KEY: key, PIP_NO_INDEX: '1' };
  const startedAt = performance.now();
  const { code, stdout, stderr } = await run(t, ['bash', '-ec', shell.text], { cwd, env }).ended;
  const tookMs = performance.now() - startedAt;
  t.ok(tookMs < (await onThisMachine(60_000)), `${tookMs} ms`);
  t.equal(code, 0, stderr);
  const verified = [...stdout.matchAll(/^papers\/(\d+)\.txt \S+Z (?:notProvenYet|proven)$/gm)];
  t.equal(new Set(verified.map(([, file]) => file)).size, 10, stdout);
  t.match(await stop(service), { code: 0 });
});
