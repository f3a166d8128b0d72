import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Test, test } from 'tap';
import { ByteVerifier } from '../../src/byte-verification/byte-verifier.ts';
import { Detector } from '../../src/byte-verification/detector.ts';
import { newOrganisationId } from '../support/blobs.ts';
import { onThisMachine } from '../support/on-this-machine.ts';
import { runCount } from '../support/run-count.ts';

const tenant = newOrganisationId();
const contentKey = { key: Buffer.alloc(32), noncePrefix: Buffer.alloc(7) };
/** The troubled thread acts as the path says, and reads nothing. */
const named = (path: string) => ({ path, sizeBytes: 0, contentKey });
const unavailable = { name: 'VerificationUnavailable' };
const thread = new URL('../support/troubled-detection-thread.ts', import.meta.url);
const missingThread = new URL('../support/there-is-no-such-thread.ts', import.meta.url);

function newDetector(t: Test, program = thread): Detector {
  const detector = new Detector(program, { startMs: 10_000, fileMs: 500, answerMs: 1_500 });
  t.teardown(() => detector.close());
  return detector;
}

test('one thread checks the files one after another', async (t) => {
  const detector = newDetector(t);
  const first = await detector.detect(named('a'));
  t.match(first, /^thread \d+$/);
  t.equal(await detector.detect(named('b')), first);
});

for (const trouble of ['hang', 'silent', 'exit', 'throw', 'memory']) {
  test(`when a file makes the thread ${trouble}, only that file fails, and the next gets a new thread`, async (t) => {
    const detector = newDetector(t);
    const first = await detector.detect(named('a'));
    for (let i = 0; i < runCount(1, 2); i += 1) {
      const begun = performance.now();
      await t.rejects(detector.detect(named(trouble)), unavailable);
      t.ok(performance.now() - begun < (await onThisMachine(5_000)), 'in time');
      const next = await detector.detect(named('b'));
      t.match(next, /^thread \d+$/);
      t.not(next, first);
    }
  });
}

test('the time of a file is that of the processor: waiting does not use it up', async (t) => {
  const detector = new Detector(thread, { startMs: 10_000, fileMs: 200, answerMs: 60_000 });
  t.teardown(() => detector.close());
  t.match(await detector.detect(named('wait')), /^thread \d+$/);
  await t.rejects(detector.detect(named('hang')), { message: /used 200 ms of processor time/ });
  t.match(await detector.detect(named('wait')), /^thread \d+$/);
});

test('a hanging detection thread does not block the event loop', async (t) => {
  const detector = newDetector(t);
  await detector.detect(named('a'));
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await t.rejects(detector.detect(named('hang')), unavailable);
  delay.disable();
  const limitMs = await onThisMachine(400);
  t.ok(delay.max / 1e6 < limitMs, `held up for ${Math.round(delay.max / 1e6)} ms at most`);
});

test('when the thread cannot start, every call reports that verification is unavailable', async (t) => {
  const detector = newDetector(t, missingThread);
  await t.rejects(detector.detect(named('a')), unavailable);
  await t.rejects(detector.detect(named('a')), unavailable);
});

test('replaces a detection thread that ended while idle', async (t) => {
  const detector = newDetector(t);
  const first = await detector.detect(named('a'));
  await detector.close();
  t.not(await detector.detect(named('a')), first);
});

test('rejects files that wait too long for a thread, and verifies 50 files in a row', async (t) => {
  const limits = { startMs: 10_000, fileMs: 1_000, answerMs: 1_000 };
  const verifier = new ByteVerifier({ limits, lineMs: 300, thread });
  t.teardown(() => verifier.close());
  await Promise.all([
    verifier.verify(named('a'), 'a.pdf', tenant),
    verifier.verify(named('a'), 'a.pdf', tenant),
  ]);
  const hanging = [1, 2].map(() =>
    t.rejects(verifier.verify(named('silent'), 'a.pdf', tenant), unavailable),
  );
  await t.rejects(verifier.verify(named('a'), 'a.pdf', tenant), /too many files wait/);
  await sleep(0);
  const unseen = await verifier.verify(named('a'), 'a.txt', tenant);
  t.equal(unseen.status, 'verified', 'a name without a signature needs no thread');
  await Promise.all(hanging);
  const patient = new ByteVerifier({ thread });
  t.teardown(() => patient.close());
  const many = Array.from({ length: 50 }, () => patient.verify(named('a'), 'a.pdf', tenant));
  for (const verdict of await Promise.all(many)) t.equal(verdict.status, 'mismatch');
});

test('slow files of one organisation delay another by the time of about one file', async (t) => {
  const limits = { startMs: 10_000, fileMs: 1_500, answerMs: 1_500 };
  const verifier = new ByteVerifier({ limits, lineMs: 60_000, thread });
  t.teardown(() => verifier.close());
  let failed = 0;
  const hanging = Array.from({ length: 8 }, () =>
    verifier.verify(named('silent'), 'a.pdf', tenant).catch(() => {
      failed += 1;
    }),
  );
  const other = newOrganisationId();
  for (const name of ['1.pdf', '2.pdf']) {
    const before = failed;
    t.match(await verifier.verify(named('a'), name, other), { status: 'mismatch' });
    t.ok(
      failed - before <= hanging.length / 2,
      `${failed - before} of the ${hanging.length} slow files came first`,
    );
  }
  t.ok(failed < hanging.length);
  await Promise.all(hanging);
});

test('closing the verifier rejects waiting files', async (t) => {
  const verifier = new ByteVerifier({ thread });
  const waiting = t.rejects(verifier.verify(named('silent'), 'a.pdf', tenant), unavailable);
  await sleep(0);
  await verifier.close();
  await waiting;
});
