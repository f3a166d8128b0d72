import { setImmediate } from 'node:timers/promises';
import { type Test, test } from 'tap';
import { RequestGate } from '../../src/pages/ask-service.js';
import { LedgerAnswers } from '../../src/pages/ledger-answers.js';

const hashes = Array.from({ length: 9 }, (_, at) => String(at).repeat(64));

/** Stub of the service: each question waits for its answer. */
function service(t: Test) {
  const open = new Map<string, (status: number) => void>();
  t.intercept(globalThis, 'fetch', {
    value: (url: URL, { signal }: { signal: AbortSignal }) =>
      new Promise((resolve, reject) => {
        const hash = url.pathname.slice(-64);
        const answer = (status: number) => {
          open.delete(hash);
          const code = status === 404 ? 'TRANSACTION_NOT_FOUND' : 'XRPL_ERROR';
          resolve(Response.json({ success: false, code, message: '' }, { status }));
        };
        open.set(hash, answer);
        signal.addEventListener('abort', () => {
          open.delete(hash);
          reject(signal.reason);
        });
      }),
  });
  return open;
}

test('asks for each transaction once, and for four at a time', async (t) => {
  const open = service(t);
  let answered = 0;
  const answers = new LedgerAnswers(() => {
    answered += 1;
  }, new RequestGate());
  answers.keep(hashes);
  answers.keep(hashes);
  const seen: string[] = [];
  while (answered < hashes.length) {
    await setImmediate();
    t.ok(open.size <= 4, `${open.size} are open`);
    const [first] = open;
    if (first === undefined) continue;
    seen.push(first[0]);
    t.equal(answers.answerTo(first[0]), null);
    first[1](404);
  }
  t.strictSame(seen.sort(), hashes);
  t.ok(hashes.every((hash) => answers.answerTo(hash)?.found === 'no'));
});

test('cancels the request for a transaction no longer needed, and frees its slot', async (t) => {
  const open = service(t);
  const answers = new LedgerAnswers(() => {}, new RequestGate());
  answers.keep(hashes);
  await setImmediate();
  t.strictSame([...open.keys()], hashes.slice(0, 4));
  answers.keep(hashes.slice(6));
  while (open.size < 3 || open.has(hashes[0] ?? '')) await setImmediate();
  t.strictSame([...open.keys()], hashes.slice(6));
});

test('a retry repeats only the requests without an answer', async (t) => {
  const open = service(t);
  const answers = new LedgerAnswers(() => {}, new RequestGate());
  const [hash = ''] = hashes;
  answers.keep([hash]);
  await setImmediate();
  open.get(hash)?.(502);
  while (answers.answerTo(hash) === null) await setImmediate();
  t.equal(answers.answerTo(hash)?.found, 'ledgerSilent');
  answers.retry({ everything: false });
  answers.keep([hash]);
  t.equal(answers.answerTo(hash), null);
  await setImmediate();
  t.equal(open.size, 1);
  open.get(hash)?.(404);
  while (answers.answerTo(hash) === null) await setImmediate();
  t.equal(answers.answerTo(hash)?.found, 'no');
});

test('a retry after an outage leaves a final answer as it is, and a reader may repeat it', async (t) => {
  const open = service(t);
  const answers = new LedgerAnswers(() => {}, new RequestGate());
  const [absent = '', silent = ''] = hashes;
  answers.keep([absent, silent]);
  await setImmediate();
  open.get(absent)?.(404);
  open.get(silent)?.(502);
  while (answers.answerTo(silent) === null) await setImmediate();
  answers.retry({ everything: false });
  t.equal(answers.answerTo(absent)?.found, 'no', 'the verdict does not flicker');
  t.equal(answers.answerTo(silent), null);
  answers.retry({ everything: true });
  t.equal(answers.answerTo(absent), null);
});
