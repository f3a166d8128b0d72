import { test } from 'tap';
import { noteSigner } from '../../../src/transparency-log/checkpoint/note-key.ts';
import { signNote } from '../../../src/transparency-log/checkpoint/signed-note.ts';
import { verifyNatively } from '../../../src/transparency-log/checkpoint/verify-natively.ts';
import { openNote as openReadNote } from '../../../src/verifier/log/check-signatures.ts';
import { type ReadKey, readLogKey } from '../../../src/verifier/log/note-key.ts';
import { readSignedNote } from '../../../src/verifier/log/signed-note.ts';

// Keys, text and signatures of golang.org/x/mod/sumdb/note/note_test.go.
const peterSeed = Buffer.from('gQoUAtUUbI2E8kQzMPVAgOv5juF9nHT2JS/F1ccoMXM=', 'base64');
const peterKey = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const enochKey = 'EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop';
const text =
  'If you think cryptography is the answer to your problem,\n' +
  "then you don't know what your problem is.\n";
const peterSig =
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
const enochSig =
  '— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n';

/** The result, which is the same with both functions that verify. */
function openNote(note: string, keys: readonly ReadKey[]) {
  const read = readSignedNote(note);
  if (read === null) return { status: 'malformed' } as const;
  const opened = openReadNote(read, keys);
  const natively = openReadNote(read, keys, verifyNatively);
  if (JSON.stringify(natively) !== JSON.stringify(opened)) throw new Error('the results differ');
  return { ...opened, text: read.text };
}

const verifier = (vkey: string) => {
  const parsed = readLogKey(vkey);
  if (parsed === null) throw new Error(`no key: ${vkey}`);
  return parsed;
};

test("keys and notes are those of Go's checksum database", async (t) => {
  const signer = noteSigner('PeterNeumann', peterSeed);
  t.equal(signer.vkey, peterKey);
  t.equal(signNote(text, [signer]), `${text}\n${peterSig}`);
  const [peter, enoch] = [verifier(peterKey), verifier(enochKey)];
  const note = `${text}\n${peterSig}${enochSig}`;
  const by = (...keys: (typeof peter)[]) => {
    const opened = openNote(note, keys);
    return opened.status === 'verified' ? opened.by.map(({ name }) => name) : opened.status;
  };
  t.strictSame(by(peter), ['PeterNeumann']);
  t.strictSame(by(enoch, peter), ['PeterNeumann', 'EnochRoot']);
  t.equal(by(), 'unknown-keys');
  t.match(openNote(note, [peter]), { text });
});

test('accepts neither part of a key nor another key', async (t) => {
  const taken: string[] = [];
  for (let from = 0; from <= peterKey.length; from += 1) {
    for (let to = from; to <= peterKey.length; to += 1) {
      const part = peterKey.slice(from, to);
      if (part !== peterKey && readLogKey(part)) taken.push(part);
    }
    const code = peterKey.charCodeAt(from);
    const mangled = `${peterKey.slice(0, from)}${String.fromCharCode(code + 1)}${peterKey.slice(from + 1)}`;
    if (from < peterKey.length && readLogKey(mangled)) taken.push(mangled);
  }
  const others = [
    'PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==',
    'PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    `${peterKey}\n`,
    ` ${peterKey}`,
  ];
  t.strictSame([...taken, ...others.filter((key) => readLogKey(key) !== null)], []);
});

test('refuses malformed notes before any check of signatures', async (t) => {
  const bad = [
    '',
    text,
    `${text}\n`,
    `${text}\n${peterSig.slice(0, -1)}`,
    `\u0001${text}\n${peterSig}`,
    `\ud800${text}\n${peterSig}`,
    `${text.replace('\n', '\r\n')}\n${peterSig}`,
    `${text}\n${peterSig.replace('PeterNeumann', 'Bad Name')}`,
    `${text}\n${peterSig.replace('PeterNeumann', 'a+b')}`,
    `${text}\n${peterSig.replace('PeterNeumann', 'a\u00a0b')}`,
    `${text}\n${peterSig}Unexpected line.\n`,
    `${text}\n${peterSig.replace('— ', '- ')}`,
    `${text}\n— PeterNeumann x08g\n`,
    `${text}\n${peterSig.replace('=\n', '\n')}`,
    `${text}\n${peterSig.replace('AM=', 'AN=')}`,
    `${text}\n${peterSig.repeat(101)}`,
  ];
  t.strictSame(
    bad.filter((note) => readSignedNote(note) !== null),
    [],
  );
  t.strictSame(openNote(text, [verifier(peterKey)]), { status: 'malformed' });
});

test('one false signature of a known key spoils a note, and keys match by name and id', async (t) => {
  const peter = verifier(peterKey);
  const forged = peterSig.replace('ZJku', 'ZJkv');
  t.match(openNote(`${text}\n${forged}${enochSig}`, [peter, verifier(enochKey)]), {
    status: 'forged',
    key: peterKey,
  });
  t.match(openNote(`${text}x\n\n${peterSig}`, [peter]), { status: 'forged' });
  const short = peterSig.replace(
    / x08g.*/,
    ` ${Buffer.from('c74f20a301', 'hex').toString('base64')}`,
  );
  t.match(openNote(`${text}\n${short}`, [peter]), { status: 'forged' });
  const renamed = peterSig.replace('PeterNeumann', 'CarmenSandiego');
  t.match(openNote(`${text}\n${renamed}`, [peter]), { status: 'unknown-keys' });
  const otherId = peterSig.replace('x08g', 'xxxx');
  t.match(openNote(`${text}\n${otherId}`, [peter]), { status: 'unknown-keys' });
});

test('the text of a note ends at its last empty line', async (t) => {
  const signer = noteSigner('a.example/b', Buffer.alloc(32, 1));
  const poem = 'one\n\n— a.example/b not a signature\n\ntwo\n';
  const opened = openNote(signNote(poem, [signer]), [verifier(signer.vkey)]);
  t.match(opened, { status: 'verified', text: poem });
  t.throws(() => signNote('no newline', [signer]), TypeError);
  t.throws(() => signNote('tab\t\n', [signer]), TypeError);
  t.throws(() => noteSigner('a b', Buffer.alloc(32)), TypeError);
});
