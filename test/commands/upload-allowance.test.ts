import { join } from 'node:path';
import { test } from 'tap';
import { chainRevision } from '../../src/commands/chain-revision.ts';
import { changeUploadAllowance } from '../../src/commands/change-upload-allowance.ts';
import { storeDocument } from '../../src/commands/store-document.ts';
import { AllowanceExceeded } from '../../src/domain/allowance/allowance-exceeded.ts';
import type { DocumentId } from '../../src/domain/ulid.ts';
import { createTestStore, joinTestStore, openTestStore } from '../support/event-store.ts';
import { onThisMachine } from '../support/on-this-machine.ts';
import { run } from '../support/run.ts';
import { streamNamed } from '../support/stream-named.ts';
import { createUploadSite, uploadMeta as meta, uploadDeps } from '../support/uploads.ts';

const many = (count: number) => Array.from({ length: count });
const month = () => new Date().toISOString().slice(0, 7);

test('100 concurrent uploads at an allowance of 60: 60 are stored, 40 refused, with little work', async (t) => {
  const { store } = await joinTestStore();
  const { deps, order, units } = await createUploadSite(store, 60);
  const before = process.cpuUsage();
  const outcomes = await Promise.allSettled(
    many(100).map(() => storeDocument(deps, order(), meta)),
  );
  // Of this process, and not of time: other tests run beside this one.
  const { user, system } = process.cpuUsage(before);
  const seconds = (user + system) / 1_000_000;
  t.comment(`${seconds.toFixed(2)} s of processor time`);
  t.ok(seconds < 5, `${seconds} s`);
  t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 60);
  const usage = { used: 60, limit: 60, remaining: 0, unit: 'documents' };
  const refusals = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason] : [],
  );
  t.ok(refusals.every((refusal) => refusal instanceof AllowanceExceeded));
  t.strictSame(
    refusals.map((refusal) => refusal.usage),
    many(40).map(() => usage),
  );
  t.strictSame(
    await units(),
    many(60).map((_, index) => `UnitTaken ${index + 1}`),
  );
  t.equal((await store.readLog(0, 1_000, ['DocumentStored'])).length, 60);
  t.equal((await store.readLog(0, 1_000, ['ProofRequested'])).length, 60);
});

test('two separate processes do not exceed the allowance', async (t) => {
  const { store, url, masterKey } = await joinTestStore();
  const { organisationId, workspaceId, units } = await createUploadSite(store, 60);
  const script = join(import.meta.dirname, '../support/upload-racer.ts');
  const args = [url, masterKey.toString('base64'), organisationId, workspaceId, '50'];
  const racers = [1, 2].map(() => run(t, [process.execPath, script, ...args]));
  const outcomes = await Promise.all(
    racers.map(async ({ ended }) => {
      const { stdout, stderr, code } = await ended;
      if (code !== 0) throw new Error(stderr);
      return JSON.parse(stdout) as { stored: number; refusals: string[]; ms: number };
    }),
  );
  t.comment(outcomes.map(({ stored, ms }) => `${stored} stored in ${ms} ms`).join(', '));
  t.equal(
    outcomes.reduce((sum, { stored }) => sum + stored, 0),
    60,
  );
  const refusals = outcomes.flatMap((one) => one.refusals);
  t.strictSame(
    refusals,
    many(40).map(() => 'ENTITLEMENT_EXCEEDED'),
  );
  const limitMs = await onThisMachine(10_000);
  t.ok(outcomes.every(({ ms }) => ms < limitMs));
  t.equal((await units()).length, 60);
});

test('two stores in one process retry on conflicts and count every unit once', async (t) => {
  const { store, url } = await joinTestStore();
  const { deps, order, units } = await createUploadSite(store, null);
  const other = uploadDeps(openTestStore(t, url).store);
  const uploads = many(40).map((_, index) =>
    storeDocument(index % 2 === 0 ? deps : other, order(), meta),
  );
  await Promise.all(uploads);
  t.strictSame(
    await units(),
    many(40).map((_, index) => `UnitTaken ${index + 1}`),
    'units are counted without a limit too',
  );
});

test('revisions take units, known bytes take none and succeed at the limit', async (t) => {
  const { store } = await joinTestStore();
  const { deps, organisationId, order, units } = await createUploadSite(store, 2);
  const upload = order();
  const { documentId: rootDocumentId } = await storeDocument(deps, upload, meta);
  const revise = (file = order()) => chainRevision(deps, { ...file, rootDocumentId }, meta);
  const second = order();
  await revise(second);
  const usage = { used: 2, limit: 2, remaining: 0, unit: 'documents' };
  await t.rejects(revise(), { code: 'ENTITLEMENT_EXCEEDED', usage });
  await t.rejects(storeDocument(deps, order(), meta), { code: 'ENTITLEMENT_EXCEEDED', usage });
  const again = { created: false, blobNamed: false };
  t.match(await storeDocument(deps, order({ fileHash: upload.fileHash }), meta), again);
  t.match(await revise(order({ fileHash: second.fileHash })), again);
  await changeUploadAllowance(store, organisationId, 1, meta);
  const lowered = { used: 2, limit: 1, remaining: 0, unit: 'documents' };
  await t.rejects(revise(), { code: 'ENTITLEMENT_EXCEEDED', usage: lowered });
  await changeUploadAllowance(store, organisationId, 3, meta);
  await revise();
  t.strictSame(await units(), ['UnitTaken 1', 'UnitTaken 2', 'UnitTaken 3']);
});

test('an upload is charged to the month (UTC) in which it is received', async (t) => {
  let now = new Date('2026-01-31T23:59:59.999Z');
  const clock = () => now;
  const { store } = await createTestStore(t, { now: clock });
  const { deps, organisationId, order } = await createUploadSite(store, 1);
  const upload = () => storeDocument({ ...deps, now: clock }, order(), meta);
  const { documentId } = await upload();
  await t.rejects(upload(), { code: 'ENTITLEMENT_EXCEEDED' });
  now = new Date('2026-02-01T00:00:00.000Z');
  await upload();
  const last = async (of: string) =>
    (await store.readLast(streamNamed(`allowance-${organisationId}-${of}`)))?.data;
  t.strictSame(await last('2026-01'), { documentId: documentId as DocumentId, used: 1 });
  t.match(await last('2026-02'), { used: 1 });
  t.equal(await store.readLast(streamNamed(`allowance-${organisationId}-${month()}`)), null);
});
