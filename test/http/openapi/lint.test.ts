import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { test } from 'tap';
import { documentOf } from '../../support/contract/closed-document.ts';
import { projectRoot } from '../../support/run.ts';

test('the document passes all recommended rules of redocly', async (t) => {
  const file = join(t.testdir(), 'openapi.json');
  await writeFile(file, JSON.stringify(documentOf()));
  const redocly = join(projectRoot, 'node_modules/@redocly/cli/bin/cli.js');
  const lint = [redocly, 'lint', file, '--extends=recommended', '--format=json'];
  // Run in an empty folder: a configuration in the project's folder would apply.
  const cwd = t.testdirName;
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { stdout } = await promisify(execFile)(process.execPath, lint, { cwd, env }).catch(
    (failed) => failed,
  );
  const problems = JSON.parse(stdout).problems.map(
    ({ ruleId, location }: { ruleId: string; location: { pointer: string }[] }) =>
      `${ruleId} ${location[0]?.pointer}`,
  );
  t.strictSame(problems, []);
});
