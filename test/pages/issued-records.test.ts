import { setImmediate } from 'node:timers/promises';
import { type Test, test } from 'tap';
import { RequestGate } from '../../src/pages/ask-service.js';
import { IssuedRecords } from '../../src/pages/issued-records.js';
import { LedgerAnswers } from '../../src/pages/ledger-answers.js';
import { readBundle } from '../../src/verifier/bundle/read-bundle.ts';
import { signedBundle } from '../support/issued-pdf.ts';
import { readItem } from '../support/page-findings.ts';

const host = 'proofs.example';
const bundle = readBundle(
  signedBundle((draft) => {
    draft.addresses.verifyPageUrl = `https://${host}/verify/${'A'.repeat(64)}`;
  }),
);
const pdfs = Array.from({ length: 9 }, (_, at) => {
  return readItem(`${at}.pdf`, String(at).repeat(64), { bundle, form: 'pdf' });
});

Object.assign(globalThis, { location: { host } });

/** Stub of the service: each request waits for its answer. */
function service(t: Test) {
  const open: {
    path: string;
    answer: (status: number, headers?: Record<string, string>) => void;
  }[] = [];
  t.intercept(globalThis, 'fetch', {
    value: (url: URL, { signal }: { signal: AbortSignal }) =>
      new Promise((resolve, reject) => {
        const request = {
          path: url.pathname,
          answer: (status: number, headers: Record<string, string> = {}) => {
            open.splice(open.indexOf(request), 1);
            const code = status === 404 ? 'CERTIFICATE_NOT_FOUND' : 'OTHER';
            resolve(Response.json({ success: false, code }, { status, headers }));
          },
        };
        open.push(request);
        signal.addEventListener('abort', () => {
          open.splice(open.indexOf(request), 1);
          reject(signal.reason);
        });
      }),
  });
  return open;
}

test('records and transactions together are requested four at a time', async (t) => {
  const open = service(t);
  const gate = new RequestGate();
  const issued = new IssuedRecords(() => {}, gate);
  const answers = new LedgerAnswers(() => {}, gate);
  for (const pdf of pdfs) t.equal(issued.recordOf(pdf), 'asking');
  answers.keep(pdfs.map(({ file: { name } }) => name.slice(0, 1).repeat(64)));
  let done = 0;
  while (done < 2 * pdfs.length) {
    await setImmediate();
    t.ok(open.length <= 4, `${open.length} are open`);
    open[0]?.answer(404);
    done += 1;
  }
  while (pdfs.some((pdf) => issued.recordOf(pdf) === 'asking')) {
    await setImmediate();
    open[0]?.answer(404);
  }
  t.match(issued.recordOf(pdfs[8] as (typeof pdfs)[0]), { answer: { found: 'absent' } });
});

test('a removed PDF is not asked for, and frees its place', async (t) => {
  const open = service(t);
  const issued = new IssuedRecords(() => {}, new RequestGate());
  for (const pdf of pdfs) issued.recordOf(pdf);
  await setImmediate();
  issued.keep(pdfs.slice(6));
  while (open.length < 3 || open[0]?.path.endsWith('0')) await setImmediate();
  t.strictSame(
    open.map(({ path }) => path.slice(-1)),
    ['6', '7', '8'],
  );
});

test('a pause that the service asks for is kept', async (t) => {
  const open = service(t);
  const issued = new IssuedRecords(() => {}, new RequestGate());
  const [pdf] = pdfs as [(typeof pdfs)[0]];
  issued.recordOf(pdf);
  t.equal(issued.pauseSeconds(), 0);
  await setImmediate();
  open[0]?.answer(429, { 'retry-after': '77' });
  while (issued.recordOf(pdf) === 'asking') await setImmediate();
  t.equal(issued.isAway(), true);
  t.equal(issued.pauseSeconds(), 77);
});
