import { isDeepStrictEqual } from 'node:util';
import { test } from 'tap';
import { joinRunService } from '../../support/run-service.ts';

const maxBytes = 8_388_608;
const count = 5_000;

/** A body of exactly that many bytes, with decisions of every kind of character. */
function bodyOf(runId: string, bytes: number) {
  const decisions = Array.from({ length: count }, (_, n) => ({
    subject: `Ordner/${n} „Vertrag“ 🎉.pdf`,
    action: n % 3 === 0 ? 'protect' : 'skip',
    reason: `\u2028 "${'ä\\'.repeat(n % 7)}" \u007f\t`,
    free: { n, list: [n / 7, null, true, { deep: `${n}` }] },
    pad: '',
  }));
  const run = { runId, finishedAt: '2026-01-01T00:00:00Z', decisions };
  const missing = bytes - Buffer.byteLength(JSON.stringify(run));
  for (const [n, decision] of decisions.entries()) {
    decision.pad = 'x'.repeat(Math.floor((missing + n) / count));
  }
  return run;
}

test('5,000 decisions in one call of 8 MB are stored and read back whole', async (t) => {
  const { post, postText, read, get, settle } = await joinRunService();
  const run = bodyOf('large', maxBytes);
  const text = JSON.stringify(run);
  t.equal(Buffer.byteLength(text), maxBytes);
  const counts = { decisionsReported: count, decisionsTruncated: false };
  t.match(await postText(text), { status: 201, body: { data: counts } });
  await settle();
  const { decisions } = (await read('large')).body.data;
  t.equal(decisions.length, count);
  t.ok(isDeepStrictEqual(decisions, run.decisions), 'every decision is as sent');
  const page = (await get('/agent/decisions?limit=100&page=50')).body;
  t.match(page.meta, { total: count, totalPages: 50 });
  t.strictSame(
    page.data,
    run.decisions.slice(4_900).map((decision) => ({ ...decision, runId: 'large' })),
  );
  t.match((await get('/agent/decisions?action=protect')).body.meta, { total: 1_667 });
  t.match(await postText(text), { status: 200, body: { alreadyRecorded: true } });
  t.match(await postText(`${text} `), { status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
  const other = structuredClone(run);
  Object.assign(other.decisions[4_999] ?? {}, { reason: 'another' });
  t.match(await post(other), { status: 409, body: { code: 'RUN_CONFLICT' } });
});

test('concurrent large and small runs are all recorded', async (t) => {
  const { post, get, read, settle } = await joinRunService();
  const large = Array.from({ length: 3 }, (_, n) => bodyOf(`large ${n}`, 1_600_000));
  const small = Array.from({ length: 10 }, (_, n) => ({ runId: `small ${n}` }));
  const answers = await Promise.all([...large, ...small].map((run) => post(run)));
  t.ok(answers.every(({ status }) => status === 201));
  await settle();
  t.match((await get('/agent/runs')).body.meta, { total: 13 });
  t.match((await get('/agent/decisions')).body.meta, { total: 3 * count });
  const whole = await Promise.all(large.map(({ runId }) => read(runId)));
  for (const [n, { body }] of whole.entries()) {
    t.ok(isDeepStrictEqual(body.data.decisions, large[n]?.decisions), `run ${n} is whole`);
  }
});
