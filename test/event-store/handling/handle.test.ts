import { test } from 'tap';
import { openOrganisation } from '../../../src/commands/open-organisation.ts';
import { organisationDecider } from '../../../src/domain/organisation/decider.ts';
import type { OrganisationState } from '../../../src/domain/organisation/state.ts';
import { streams } from '../../../src/domain/streams.ts';
import type { OrganisationId } from '../../../src/domain/ulid.ts';
import { handle } from '../../../src/event-store/handling/handle.ts';
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
