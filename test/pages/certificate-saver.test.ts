import { test } from 'tap';
import { CertificateSaver } from '../../src/pages/certificate-saver.js';
import { CallFailed, SessionEnded } from '../../src/pages/prove-calls.js';

/** Only the fields that are read. */
const item = (proofId: string | null) =>
  ({ proofId, file: new File([], `${proofId}.txt`) }) as Parameters<CertificateSaver['save']>[0][0];

/** A saver whose service rejects with these errors first, and what came of it. */
function saverWith(...errors: readonly Error[]) {
  const [asked, saved, waits]: [string[], string[], number[]] = [[], [], []];
  const left = [...errors];
  const certificate = async (proofId: string) => {
    asked.push(proofId);
    const error = left.shift();
    if (error !== undefined) throw error;
    return new Blob([proofId]);
  };
  const saver = new CertificateSaver(
    { certificate },
    {
      save: (_blob, name) => void saved.push(name),
      onWait: (seconds) => void waits.push(seconds),
      pause: async () => {},
    },
  );
  return { saver, asked, saved, waits };
}

test('a download that is broken off goes on where it stopped', async (t) => {
  const items = ['a', 'b', 'a', 'c'].map(item);
  const { saver, asked, saved } = saverWith();
  t.same(saver.unsaved([item(null), ...items]), [items[0], items[1], items[3]]);
  await saver.save(saver.unsaved(items).slice(0, 1));
  t.same(saver.unsaved(items), [items[1], items[3]]);
  await saver.save(saver.unsaved(items));
  t.strictSame(asked, ['a', 'b', 'c'], 'each certificate is asked for once');
  t.strictSame(
    saved,
    ['a', 'b', 'c'].map((id) => `certificate of ${id}.txt.pdf`),
  );
  t.same(saver.unsaved(items), []);
});

test('a busy service is asked again, and the reader told when', async (t) => {
  const { saver, waits, saved } = saverWith(new CallFailed('busy', 7), new CallFailed('busy', 9));
  await saver.save([item('a')]);
  t.strictSame(waits, [7, 9]);
  t.equal(saved.length, 1);
});

test('a service that is busy for long, refuses or ends the session is not waited for', async (t) => {
  const busy = Array.from({ length: 5 }, () => new CallFailed('busy', 1));
  const cases = [
    ...[[new CallFailed('the day is used up', 40_000)], [new CallFailed('no', null)]],
    ...[[new SessionEnded()], busy],
  ];
  for (const errors of cases) {
    const { saver, waits, asked } = saverWith(...errors);
    const first = errors[0] ?? new Error('none');
    await t.rejects(saver.save([item('a'), item('b')]), first);
    t.equal(asked.length, errors.length);
    t.equal(waits.length, errors.length - 1);
    t.equal(saver.unsaved([item('a')]).length, 1);
  }
});
