import { test } from 'tap';
import { logName, originOf, parseOrigin } from '../../../src/domain/log/origin.ts';
import {
  formatCheckpoint,
  openCheckpoint,
  readCheckpoint,
  signCheckpoint,
} from '../../../src/transparency-log/checkpoint/checkpoint.ts';
import { noteSigner } from '../../../src/transparency-log/checkpoint/note-key.ts';
import { signNote } from '../../../src/transparency-log/checkpoint/signed-note.ts';
import { readCheckpointText } from '../../../src/verifier/log/checkpoint.ts';
import { readLogKey } from '../../../src/verifier/log/note-key.ts';

/** Example of C2SP tlog-checkpoint. */
const example =
  'example.com/behind-the-sofa\n' +
  '20852163\n' +
  'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n' +
  '\n' +
  '— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n';
const logId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const origin = originOf({ name: logName(logId), epoch: 1 });
const root = Buffer.alloc(32, 5);
const signer = noteSigner(origin, Buffer.alloc(32, 1));
const verifier = readLogKey(signer.vkey);
if (verifier === null) throw new Error('no verifier');

test('reads the example of the specification', async (t) => {
  const read = readCheckpoint(example);
  t.match(read, { origin: 'example.com/behind-the-sofa', size: 20_852_163 });
  t.equal(formatCheckpoint(read as NonNullable<typeof read>), `${example.split('\n\n')[0]}\n`);
});

test('a checkpoint is verified with the key of its log alone', async (t) => {
  const note = signCheckpoint({ origin, size: 7, root }, [signer]);
  t.equal(note, signCheckpoint({ origin, size: 7, root }, [signer]), 'same bytes every time');
  t.match(openCheckpoint(note, [verifier]), {
    status: 'verified',
    checkpoint: { origin, size: 7, root },
  });
  t.equal(openCheckpoint(note.replace('\n7\n', '\n8\n'), [verifier]).status, 'forged');
  const foreign = signNote(formatCheckpoint({ origin: 'other/log', size: 7, root }), [signer]);
  t.equal(openCheckpoint(foreign, [verifier]).status, 'malformed');
  t.equal(openCheckpoint(signNote('hello\n', [signer]), [verifier]).status, 'malformed');
});

test('keys of other logs neither help nor harm a checkpoint', async (t) => {
  const mirror = noteSigner('mirror.example/b', Buffer.alloc(32, 3));
  const ofMirror = readLogKey(mirror.vkey);
  if (ofMirror === null) throw new Error('no verifier');
  const checkpoint = { origin, size: 7, root };
  const both = signCheckpoint(checkpoint, [mirror, signer]);
  t.match(openCheckpoint(both, [ofMirror, verifier]), {
    status: 'verified',
    by: [{ vkey: signer.vkey }],
  });
  t.strictSame(openCheckpoint(both, [ofMirror]), { status: 'unknown-keys' });
  const ofOtherText = { ...mirror, sign: () => mirror.sign('other\n') };
  const falsified = signCheckpoint(checkpoint, [ofOtherText, signer]);
  t.equal(openCheckpoint(falsified, [ofMirror, verifier]).status, 'verified');
  const alone = signCheckpoint(checkpoint, [mirror]);
  t.strictSame(openCheckpoint(alone, [ofMirror, verifier]), { status: 'malformed' });
});

test('while a key is replaced a checkpoint has both signatures, and either key verifies it', async (t) => {
  const next = noteSigner(origin, Buffer.alloc(32, 2));
  const nextVerifier = readLogKey(next.vkey);
  const note = signCheckpoint({ origin, size: 7, root }, [next, signer]);
  t.match(openCheckpoint(note, [verifier]), { by: [{ vkey: signer.vkey }] });
  t.match(openCheckpoint(note, nextVerifier ? [nextVerifier] : []), { by: [{ vkey: next.vkey }] });
});

test('refuses a checkpoint that deviates from the specification', async (t) => {
  const base64 = root.toString('base64');
  const bad = [
    ['', '7', base64, ''],
    [origin, '', base64, ''],
    [origin, '07', base64, ''],
    [origin, '-7', base64, ''],
    [origin, '7.0', base64, ''],
    [origin, ' 7', base64, ''],
    [origin, '1e3', base64, ''],
    [origin, '9007199254740993', base64, ''],
    [origin, '7', base64.slice(0, -1), ''],
    [origin, '7', Buffer.alloc(31).toString('base64'), ''],
    [origin, '7', `${base64} `, ''],
    [origin, '7', base64],
    [origin, '7', ''],
    [origin, '7', base64, '', 'extension', ''],
    [origin, '7', base64, '', ''],
  ];
  t.strictSame(
    bad.filter((lines) => readCheckpointText(lines.join('\n')) !== null),
    [],
  );
  t.match(readCheckpointText(`${origin}\n0\n${base64}\nextension\n`), { size: 0 });
});

test('the origin names the log and its epoch in a single form', async (t) => {
  const own = { name: logName(logId), logId };
  t.equal(originOf({ ...own, epoch: 1 }), `proofmark/${logId}`);
  t.equal(originOf({ ...own, epoch: 2 }), `proofmark/${logId}/2`);
  const placed = { name: logName(logId, 'example.com:8080/a/log'), logId };
  t.equal(originOf({ ...placed, epoch: 3 }), `example.com:8080/a/log/${logId}/3`);
  for (const log of [own, placed]) {
    for (const epoch of [1, 12]) {
      t.strictSame(parseOrigin(originOf({ ...log, epoch })), { ...log, epoch });
    }
  }
  const others = [`${logId}`, `proofmark/x`, `proofmark/${logId}/1`, `proofmark/${logId}/02`];
  t.strictSame([...others, `proofmark/${logId}/0`, `proofmark/${logId}/`].map(parseOrigin), [
    ...Array(6).fill(null),
  ]);
});
