import { randomInt } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import { ownSignatures } from '../../src/transparency-log/cosigning/own-signatures.ts';
import { readCheckpointText } from '../../src/verifier/log/checkpoint.ts';
import { readWitnessKey } from '../../src/verifier/log/note-key.ts';
import { readSignatureLines } from '../../src/verifier/log/signed-note.ts';
import { forkedLog } from '../support/forked-log.ts';
import { ops } from '../support/operator.ts';
import { projectRoot, run } from '../support/run.ts';

const log = forkedLog('log.example/killed', 3, 600);
const kills = 5;

test('a witness of its own, killed again and again, never cosigns two views', async (t) => {
  const folder = join(t.testdir({}), 'w');
  const init = ['witness', 'init', '--folder', folder, '--name', 'witness.example/w'];
  const made = await ops(t, {}, ...init);
  t.match(made, { code: 0, stdout: /^witness\.example\/w\+[0-9a-f]{8}\+B\S+\n$/ });
  t.match(await ops(t, {}, ...init), { code: 1, stderr: /already has a witness/ });
  const key = readWitnessKey(made.stdout.trim());
  await writeFile(join(folder, 'logs'), `# ours\nlog ${log.key.vkey} https://log.example/\n`);
  const start = () =>
    run(t, [
      ...[process.execPath, join(projectRoot, 'ops/cli.ts')],
      ...['witness', 'serve', '--folder', folder, '--port', '0'],
    ]);

  /** Cosigned sizes and roots: each was seen by a client before the next kill. */
  const cosigned = new Map<number, Set<string>>();
  let [largest, answers] = [0, 0];
  for (let round = 0; round <= kills; round += 1) {
    const witness = start();
    const [, url = ''] = await witness.said(/at (http:\S+)\n/);
    if (round === 0) {
      const second = await ops(t, {}, 'witness', 'serve', '--folder', folder, '--port', '0');
      t.match(second, { code: 1, stderr: /is in use by another process/ });
    }
    const before = answers;
    let alive = true;
    // Each client follows one view as fast as it can.
    const client = async (view: number) => {
      let old = 0;
      while (alive) {
        const size = Math.min(599, Math.max(old, largest) + 1 + randomInt(3));
        const body = await log.request(Math.min(old, size), size, view);
        const response = await fetch(`${url}/add-checkpoint`, {
          method: 'POST',
          body: body as never,
        }).catch(() => null);
        const text = await response?.text().catch(() => '');
        if (response === null || !text) return;
        if (response.status === 409) old = Number(text);
        if (response.status !== 200) continue;
        const note = log.note(size, view);
        const signed = note.slice(0, note.indexOf('\n\n') + 1);
        const signatures = readSignatureLines(text) ?? [];
        const [own] = key === null ? [] : ownSignatures(key, { text: signed, signatures });
        if (own === undefined) throw new Error(text);
        const root = Buffer.from(readCheckpointText(signed)?.root ?? []).toString('hex');
        cosigned.set(size, (cosigned.get(size) ?? new Set()).add(`${view} ${root}`));
        old = size;
        largest = Math.max(largest, size);
        answers += 1;
        if (answers > before + 8) {
          alive = false;
          witness.kill('SIGKILL');
        }
      }
    };
    await Promise.all([0, 1, 0, 1].map(client));
    witness.kill('SIGKILL');
    await witness.ended;
  }
  t.ok(answers > kills * 8, `${answers} cosignatures`);
  const beyond = [...cosigned].filter(([size]) => size > 3);
  const views = new Set(beyond.flatMap(([, seen]) => [...seen].map((each) => each[0])));
  t.equal(views.size, 1, 'beyond the common part, one view alone was cosigned');

  t.equal((await readFile(join(folder, 'key'), 'utf8')).length, 45);
  await rm(join(folder, 'checkpoints'), { recursive: true });
  const lost = await ops(t, {}, 'witness', 'serve', '--folder', folder, '--port', '0');
  t.match(lost, { code: 1, stderr: /no longer knows what it cosigned/ });
});
