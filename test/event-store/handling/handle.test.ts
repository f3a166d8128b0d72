import { test } from 'tap';
import { openOrganisation } from '../../../src/commands/open-organisation.ts';
import { organisationDecider } from '../../../src/domain/organisation/decider.ts';
import type { OrganisationState } from '../../../src/domain/organisation/state.ts';
import { streams } from '../../../src/domain/streams.ts';
import type { OrganisationId } from '../../../src/domain/ulid.ts';
import {
  ChangedMeanwhile,
  handle,
  handleStreams,
} from '../../../src/event-store/handling/handle.ts';
import { createTestStore, testDeps } from '../../support/event-store.ts';

const meta = { actor: 'operator' } as const;

test('a command appends its events for the organisation, or none', async (t) => {
  const { store } = await createTestStore(t);
  const deps = { ...testDeps, store };
  const organisationId = await openOrganisation(deps, { name: 'a', plan: 'free' }, meta);
  const stream = streams.organisation(organisationId);
  const suspend = (state: OrganisationState) =>
    state.status === 'open' ? organisationDecider.suspend(state) : [];
  const first = await handle(store, stream, organisationDecider, suspend, meta);
  t.match(first, { state: { suspended: false }, appended: [{ type: 'OrganisationSuspended' }] });
  const again = await handle(store, stream, organisationDecider, suspend, meta);
  t.match(again, { state: { suspended: true }, appended: [] });
  t.equal((await store.readStream(stream)).length, 2);
  t.equal(await store.lastPositionOf(organisationId), await store.head());
});

test('retries on conflicts and decides on the newest state', async (t) => {
  const { store } = await createTestStore(t);
  const deps = { ...testDeps, store };
  const organisationId = await openOrganisation(deps, { name: 'a', plan: 'free' }, meta);
  const stream = streams.organisation(organisationId);
  const seen: number[] = [];
  const raise = (state: OrganisationState) => {
    if (state.status !== 'open') return [];
    const before = state.uploadAllowance ?? 0;
    seen.push(before);
    return organisationDecider.changeUploadAllowance(state, before + 1);
  };
  const callers = Array.from({ length: 8 });
  await Promise.all(callers.map(() => handle(store, stream, organisationDecider, raise, meta)));
  const { state } = await handle(store, stream, organisationDecider, () => [], meta);
  t.match(state, { uploadAllowance: callers.length }, 'each caller raised it by one');
  t.ok(seen.length > callers.length, 'some decisions were repeated');
});

test('a refused command rejects with its refusal, and nothing is appended', async (t) => {
  const { store } = await createTestStore(t);
  const stream = streams.organisation(testDeps.newId() as OrganisationId);
  const refuse = () => {
    throw new Error('refused');
  };
  await t.rejects(handle(store, stream, organisationDecider, refuse, meta), { message: 'refused' });
  t.equal(await store.head(), 0);
});

test('a command decided on a version that has changed appends nothing, without a retry', async (t) => {
  const { store } = await createTestStore(t);
  const deps = { ...testDeps, store };
  const organisationId = await openOrganisation(deps, { name: 'a', plan: 'free' }, meta);
  const stream = streams.organisation(organisationId);
  let decisions = 0;
  const raise = (state: OrganisationState) => {
    decisions += 1;
    if (state.status !== 'open') return [];
    return organisationDecider.changeUploadAllowance(state, (state.uploadAllowance ?? 0) + 1);
  };
  const decideOn = (seen: number, by: Parameters<typeof handle>[0] = store) =>
    handle(by, stream, organisationDecider, raise, meta, seen);
  t.match(await decideOn(1), { version: 2, appended: [{ type: 'UploadAllowanceChanged' }] });
  await t.rejects(decideOn(1), ChangedMeanwhile);
  const overtaken = {
    readStream: store.readStream,
    append: async (...of: Parameters<typeof store.append>) => {
      await decideOn(2);
      return store.append(...of);
    },
  };
  decisions = 0;
  await t.rejects(decideOn(2, overtaken), ChangedMeanwhile);
  t.equal(decisions, 2, 'one of each caller');
  t.equal(await store.versionOf(stream), 3);
});

test('a command on several streams is decided again after a conflict, and appended as a whole', async (t) => {
  const { store } = await createTestStore(t);
  const deps = { ...testDeps, store };
  const organisationId = await openOrganisation(deps, { name: 'a', plan: 'free' }, meta);
  const stream = streams.organisation(organisationId);
  const storage = streams.storage(organisationId);
  const suspended = [{ type: 'OrganisationSuspended', data: {} } as const];
  const limited = [{ type: 'StorageAllowanceChanged', data: { storageAllowance: 1 } } as const];
  let decisions = 0;
  const decide = async () => {
    decisions += 1;
    const entries = [
      { organisationId, stream, expectedVersion: await store.versionOf(stream), events: suspended },
      // Stale at the first decision.
      {
        organisationId,
        stream: storage,
        expectedVersion: decisions === 1 ? 1 : 0,
        events: limited,
      },
    ];
    return { entries, decisions };
  };
  const head = await store.head();
  const handled = await handleStreams(store, decide, meta);
  t.match(handled, { decisions: 2, appended: { firstPosition: head + 1, lastPosition: head + 2 } });
  const none = await handleStreams(store, async () => ({ entries: [], found: true }), meta);
  t.strictSame(none, { entries: [], found: true, appended: null });
  t.equal(await store.head(), head + 2);
});
