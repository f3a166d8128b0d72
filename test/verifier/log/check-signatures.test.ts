import { test } from 'tap';
import { noteSigner } from '../../../src/transparency-log/checkpoint/note-key.ts';
import { signNote } from '../../../src/transparency-log/checkpoint/signed-note.ts';
import { createCosigner } from '../../../src/transparency-log/cosigning/cosigner.ts';
import { checkSignatures } from '../../../src/verifier/log/check-signatures.ts';
import { type ReadKey, readNoteKey } from '../../../src/verifier/log/note-key.ts';
import { readSignedNote } from '../../../src/verifier/log/signed-note.ts';

const log = noteSigner('log.example/log', Buffer.alloc(32, 1));
const witness = createCosigner('w.example/w', Buffer.alloc(32, 2));
const text = `log.example/log\n3\n${Buffer.alloc(32, 9).toString('base64')}\n`;
const note = signNote(text, [log]) + witness.cosign(text, 1_700_000_000);
const unknownType = 'other.example/w+01020304+BkFCQw==';
const vkeys = [log.vkey, witness.vkey];

const keysOf = (...given: readonly string[]) => given.map((vkey) => readNoteKey(vkey) as ReadKey);

function outcomes(of: string, ...given: readonly string[]) {
  const read = readSignedNote(of);
  if (read === null) throw new Error('no note');
  return checkSignatures(read, keysOf(...given)).map(({ outcome, seconds }) => [outcome, seconds]);
}

test('signatures of logs and witnesses are valid with their keys, and unknown without', async (t) => {
  t.strictSame(outcomes(note, ...vkeys), [
    ['valid', null],
    ['valid', 1_700_000_000],
  ]);
  t.strictSame(outcomes(note), [
    ['unknownKey', null],
    ['unknownKey', null],
  ]);
  const other = noteSigner('log.example/log', Buffer.alloc(32, 3)).vkey;
  t.strictSame(outcomes(note, other), outcomes(note), 'another key of the same name');
  const line = `— other.example/w ${Buffer.from([1, 2, 3, 4, 9, 9]).toString('base64')}\n`;
  t.strictSame(outcomes(note + line, unknownType)[2], ['unknownType', null]);
});

test('a signature is invalid after any change of the text or of itself', async (t) => {
  const lines = note.split('\n');
  const spoil = (at: number, change: (bytes: Buffer) => void) => {
    const [dash, name, base64 = ''] = (lines[at] ?? '').split(' ');
    const bytes = Buffer.from(base64, 'base64');
    change(bytes);
    return lines.with(at, `${dash} ${name} ${bytes.toString('base64')}`).join('\n');
  };
  const flip = (index: number) => (bytes: Buffer) => {
    bytes[index] = (bytes[index] ?? 0) ^ 1;
  };
  const bigger = note.replace('\n3\n', '\n4\n');
  t.strictSame(outcomes(bigger, ...vkeys), [
    ['invalid', null],
    ['invalid', null],
  ]);
  t.strictSame(outcomes(spoil(4, flip(20)), ...vkeys)[0], ['invalid', null]);
  // The time of a cosignature is signed too.
  for (const index of [11, 20]) {
    t.strictSame(outcomes(spoil(5, flip(index)), ...vkeys)[1], ['invalid', null], `byte ${index}`);
  }
  const short = `— ${log.name} ${Buffer.concat([log.keyId, Buffer.alloc(10)]).toString('base64')}\n`;
  t.strictSame(outcomes(note + short, ...vkeys)[2], ['invalid', null]);
});

test('a key whose id does not fit is refused', async (t) => {
  t.equal(readNoteKey(log.vkey.replace(/\+[0-9a-f]/, (id) => (id === '+0' ? '+1' : '+0'))), null);
  t.equal(readNoteKey(''), null);
  t.equal(readNoteKey(`${log.vkey}=`), null);
});
