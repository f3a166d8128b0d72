import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { readDocument } from '../support/documents.ts';
import { run } from '../support/run.ts';

const [block] = readDocument('docs/runbook.md').blocks.filter(({ text }) =>
  text.startsWith('BACKUP='),
);
const [, backup = ''] = /^BACKUP=(\S+)$/m.exec(block?.text ?? '') ?? [];

/**
 * Runs the runbook's block for compose with a stand-in for Docker, whose call with the word `failing`
 * fails. Resolves with the first words of the calls, and the bytes that were restored.
 */
async function restore(t: Test, { failing = '', hasBackup = true } = {}) {
  const folder = t.testdir();
  const docker = join(folder, 'docker');
  const script = `#!/bin/sh
echo "$4" >>calls
if [ "$4" = run ]; then cat >restored; fi
[ "$4" != "${failing}" ]
`;
  writeFileSync(docker, script);
  chmodSync(docker, 0o755);
  if (hasBackup) writeFileSync(join(folder, backup), 'a backup');
  const env = { PATH: `${folder}:${process.env.PATH}` };
  const { code } = await run(t, ['bash', '-c', block?.text ?? ''], { cwd: folder, env }).ended;
  const read = (name: string) =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '';
  return { code, calls: read('calls').trim().split('\n'), restored: read('restored') };
}

test('the runbook restores the backup that it names', async (t) => {
  const expected = { code: 0, calls: ['stop', 'run', 'up'], restored: 'a backup' };
  t.strictSame(await restore(t), expected);
});

test('without the backup nothing is stopped', async (t) => {
  t.match(await restore(t, { hasBackup: false }), { code: /[^0]/, calls: [''] });
});

test('after a failed restore the old database is not started', async (t) => {
  t.match(await restore(t, { failing: 'run' }), { code: 1, calls: ['stop', 'run'] });
});
