import { test } from 'tap';
import { listOrganisations } from '../../projections/access/query.ts';
import { projections } from '../../projections/registry.ts';
import { queryWorkspaces } from '../../projections/workspaces/query.ts';
import { changePlan } from '../../src/commands/change-plan.ts';
import { createWorkspace } from '../../src/commands/create-workspace.ts';
import { issueKey } from '../../src/commands/issue-key.ts';
import { openOrganisation } from '../../src/commands/open-organisation.ts';
import { revokeKey } from '../../src/commands/revoke-key.ts';
import { hashApiKey } from '../../src/domain/key/api-key.ts';
import { catchUp } from '../../src/subscriptions/catch-up.ts';
import { prepareProjection } from '../../src/subscriptions/projector.ts';
import { createTestStore, openTestStore, testDeps } from '../support/event-store.ts';
import { findKeyAccess } from '../support/find-key-access.ts';

const meta = { actor: 'operator' } as const;

test('an organisation whose keys were destroyed folds to nothing, and blocks no other', async (t) => {
  const written = await createTestStore(t);
  const deps = { ...testDeps, store: written.store };
  const made = [];
  for (const name of ['gone', 'kept']) {
    const organisationId = await openOrganisation(deps, { name, plan: 'professional' }, meta);
    await createWorkspace(deps, { organisationId, name: `${name} too` }, meta);
    const order = {
      ...{ organisationId, name: null, scopes: ['documents:read'], agent: false, expiresAt: null },
      ...{ requestsPerMinute: null, requestsPerDay: null, issuedBy: null },
    };
    const { key, keyId } = await issueKey(deps, order, meta);
    await changePlan(written.store, organisationId, 'enterprise', meta);
    made.push({ organisationId, key, keyId });
  }
  const [gone, kept] = made;
  if (!gone || !kept) throw new Error('two were made');
  await revokeKey(written.store, gone.keyId, null, meta);
  await written.pool.query('DELETE FROM data_keys WHERE organisation_id = $1', [
    gone.organisationId,
  ]);

  const { db, store } = openTestStore(t, written.url);
  for (const projection of projections) await prepareProjection(db, projection);
  await catchUp({ db, store, projections, position: await store.head() });
  t.match(await listOrganisations(db), [{ name: 'kept', plan: 'enterprise' }]);
  t.equal((await listOrganisations(db)).length, 1);
  t.equal(await findKeyAccess(db, hashApiKey(gone.key)), null);
  t.match(await findKeyAccess(db, hashApiKey(kept.key)), { organisationId: kept.organisationId });
  t.strictSame(await queryWorkspaces(db, gone.organisationId), []);
  t.match(await queryWorkspaces(db, kept.organisationId), [{ name: 'kept too' }]);
});
