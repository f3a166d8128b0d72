import { merge } from 'rxjs';
import { type Test, test } from 'tap';
import { countLiveKeys } from '../../projections/access/list-keys.ts';
import { access } from '../../projections/access/project.ts';
import { findOrganisation } from '../../projections/access/query.ts';
import { changeRequestLimits } from '../../src/commands/change-request-limits.ts';
import { issueKey } from '../../src/commands/issue-key.ts';
import { openOrganisation } from '../../src/commands/open-organisation.ts';
import { revokeKey } from '../../src/commands/revoke-key.ts';
import { streams } from '../../src/domain/streams.ts';
import { createTurns } from '../../src/event-store/handling/turns.ts';
import { awaitPosition } from '../../src/subscriptions/await-position.ts';
import { openLogSignal } from '../../src/subscriptions/log-signal.ts';
import { prepareProjection, runProjector } from '../../src/subscriptions/projector.ts';
import {
  createTestStore,
  openTestStore,
  type TestStore,
  testDeps,
} from '../support/event-store.ts';

const meta = { actor: 'operator' } as const;

/** An organisation limited to five keys, and two processes that issue its keys. */
async function startSite(t: Test) {
  const first = await createTestStore(t);
  const { db, store, url } = first;
  await prepareProjection(db, access);
  const signal = openLogSignal(url, { pollMs: 20 });
  t.teardown(() => signal.close());
  const running = merge(runProjector({ db, store, signal, projection: access })).subscribe();
  t.teardown(() => running.unsubscribe());
  const organisationId = await openOrganisation(
    { ...testDeps, store },
    { name: 'A', plan: 'professional' },
    meta,
  );
  await changeRequestLimits(store, organisationId, { maxKeys: 5 }, meta);
  const base = {
    ...{ organisationId, name: null, scopes: ['documents:read'], agent: false },
    ...{ requestsPerMinute: null, requestsPerDay: null, issuedBy: null },
  };
  const processOf = ({ db, store }: TestStore) => {
    const turns = createTurns();
    return (expiresAt: string | null = null, now = new Date()) => {
      const countKeys = async () => {
        await awaitPosition(db, 'access', await store.lastPositionOf(organisationId), { signal });
        return countLiveKeys(db, organisationId, now);
      };
      const deps = { ...testDeps, store, turns, countKeys, now: () => now };
      return issueKey(deps, { ...base, expiresAt }, meta);
    };
  };
  const issuing = [processOf(first), processOf(openTestStore(t, url))] as const;
  const refusal = { code: 'API_KEY_LIMIT_REACHED' };
  return { db, store, organisationId, issuing, refusal };
}

test('two processes issuing concurrently stop exactly at the key limit', async (t) => {
  const { store, organisationId, issuing, refusal } = await startSite(t);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 6 }).flatMap(() => issuing.map((issue) => issue())),
  );
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  t.equal(outcomes.length - refused.length, 5);
  for (const outcome of refused) t.match(outcome, { reason: refusal });
  const places = await store.readStream(streams.keyPlaces(organisationId));
  t.strictSame(
    places.map(({ data }) => (data as { taken: number }).taken),
    [1, 2, 3, 4, 5],
  );
});

test('a revoked or expired key frees its place, and an operator can raise the limit', async (t) => {
  const { db, store, organisationId, issuing, refusal } = await startSite(t);
  const [issue] = issuing;
  const now = Date.now();
  const soon = new Date(now + 3_600_000);
  const { keyId } = await issue();
  for (let n = 0; n < 4; n += 1) await issue(n === 0 ? soon.toISOString() : null);
  await t.rejects(issue(), refusal);
  await revokeKey(store, keyId, null, meta);
  await issue();
  await t.rejects(issue(), refusal);
  await issue(null, soon);
  await t.rejects(issue(null, soon), refusal);
  await changeRequestLimits(store, organisationId, { maxKeys: 6 }, meta);
  await issue(null, soon);
  await t.rejects(issue(null, soon), refusal);
  await changeRequestLimits(store, organisationId, { maxKeys: null }, meta);
  await issue(null, soon);
  await awaitPosition(db, 'access', await store.head());
  t.match(await findOrganisation(db, organisationId), { maxKeys: 100 });
});
