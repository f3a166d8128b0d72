import { test } from 'tap';
import { judgeNote, Roots } from '../../src/pages/judge-checkpoint.js';
import { signCheckpoint } from '../../src/transparency-log/checkpoint/checkpoint.ts';
import { noteSigner } from '../../src/transparency-log/checkpoint/note-key.ts';
import { readNoteKey } from '../../src/verifier/log/note-key.ts';

const origin = 'log.example/one';
const signer = (fill: number) => noteSigner(origin, Buffer.alloc(32, fill));
const [first, second] = [signer(1), signer(2)];

/** Judges a checkpoint with this root. The service states the key that signed it. */
function isForked(
  roots: Roots,
  { fill, key, known = [] }: { fill: number; key: typeof first; known?: (typeof first)[] },
) {
  const checkpoint = signCheckpoint({ origin, size: 7, root: Buffer.alloc(32, fill) }, [key]);
  const keys = known.flatMap(({ vkey }) => readNoteKey(vkey) ?? []);
  const { steps } = judgeNote({ checkpoint, logKeys: [key.vkey] }, keys, roots);
  return steps.some(({ text }) => text === 'logForked');
}

test('a second history is noticed whatever keys the service states', async (t) => {
  const roots = new Roots();
  const seen = [
    { fill: 1, key: first },
    { fill: 2, key: first },
    { fill: 2, key: second },
    { fill: 1, key: second },
    { fill: 1, key: first },
  ];
  t.strictSame(
    seen.map((each) => isForked(roots, each)),
    [false, true, true, false, false],
  );
});

test('roots under keys that only the service stated do not count against known keys', async (t) => {
  const roots = new Roots();
  t.notOk(isForked(roots, { fill: 1, key: second }));
  const known = [first];
  t.notOk(isForked(roots, { fill: 2, key: first, known }), 'nothing else is signed by that key');
  t.ok(isForked(roots, { fill: 3, key: first, known }));
  t.ok(isForked(roots, { fill: 2, key: first }), 'without a known key all roots count');
});
