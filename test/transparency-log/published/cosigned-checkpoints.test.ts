import { test } from 'tap';
import { cosignedNote } from '../../../src/transparency-log/published/cosigned-checkpoints.ts';
import { readSignedNote } from '../../../src/verifier/log/signed-note.ts';
import { forkedLog } from '../../support/forked-log.ts';
import { sampleCosigner } from '../../support/witness-servers.ts';

const log = forkedLog();
const note = log.note(5);
const text = readSignedNote(note)?.text ?? '';

function noteWith(linesOfEach: readonly string[], vkeys: readonly string[] = []): string {
  const cosignatures = linesOfEach.map((lines, n) => ({ vkey: vkeys[n] ?? `${n}`, lines }));
  const { origin } = log;
  return cosignedNote({ number: 1, note, vkeys: [log.key.vkey], origin, size: 5, cosignatures });
}

test('a witness with long lines takes the place of no other', (t) => {
  const good = [1, 2].map((n) => sampleCosigner(n).cosign(text, 1_700_000_000));
  const long = `— long.example/w ${Buffer.alloc(5_900, 1).toString('base64')}\n`;
  t.equal(noteWith([long]), note + long, 'it fits alone');
  const whole = noteWith([long, ...good]);
  for (const lines of good) t.ok(whole.includes(lines));
  t.ok(whole.length <= 8_192);
  t.end();
});

test('a note never has more signatures than its readers accept', (t) => {
  const short = Array.from({ length: 120 }, (_, n) => `— w${n} AAAAAAA=\n`);
  t.equal(readSignedNote(noteWith(short))?.signatures.length, 100);
  t.end();
});

test('signatures of unknown types take no place of those that are verified', (t) => {
  const good = [1, 2].map((n) => sampleCosigner(n));
  const lines = good.map((one) => one.cosign(text, 1_700_000_000));
  const garbage = Array.from({ length: 120 }, (_, n) => `— w${n} AAAAAAA=\n`);
  const whole = noteWith([...garbage, ...lines], [...garbage, ...good.map(({ vkey }) => vkey)]);
  t.ok(whole.startsWith(`${note}${lines.toSorted((a, b) => a.length - b.length).join('')}`));
  t.equal(readSignedNote(whole)?.signatures.length, 100);
  t.end();
});
