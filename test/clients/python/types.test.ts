import { spawnSync } from 'node:child_process';
import { test } from 'tap';
import { newFolder } from '../../support/blobs.ts';
import { clientFolder } from '../../support/python-client.ts';
import { run } from '../../support/run.ts';

const noMypy =
  spawnSync('mypy', ['--version']).status !== 0 &&
  'NO MYPY, so types of the Python client are not checked';

if (noMypy) console.error(noMypy);

test('the Python client passes mypy --strict for Python 3.9', { skip: noMypy }, async (t) => {
  const command = ['mypy', '--strict', '--cache-dir', await newFolder(t), 'src/proofmark'];
  const { code, stdout } = await run(t, command, { cwd: clientFolder }).ended;
  t.equal(code, 0, stdout);
  t.match(stdout, /no issues found in \d\d source files/);
});
