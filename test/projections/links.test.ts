import { test } from 'tap';
import { ulid } from 'ulid';
import { links } from '../../projections/links/project.ts';
import { findLink } from '../../projections/links/query.ts';
import { createLink } from '../../src/commands/create-link.ts';
import { endOrganisation } from '../../src/commands/end-organisation.ts';
import { openOrganisation } from '../../src/commands/open-organisation.ts';
import { withdrawLink } from '../../src/commands/withdraw-link.ts';
import { linkTokenHash } from '../../src/domain/link/link-token.ts';
import type { ProofId } from '../../src/domain/ulid.ts';
import { createOrganisationEnding } from '../../src/event-store/organisation-ending.ts';
import { catchUp } from '../../src/subscriptions/catch-up.ts';
import { prepareProjection } from '../../src/subscriptions/projector.ts';
import { createTestStore, openTestStore, testDeps } from '../support/event-store.ts';

const meta = { actor: 'operator' } as const;

test('a token finds its link until it is withdrawn or its organisation is erased, also anew', async (t) => {
  const written = await createTestStore(t);
  const deps = { ...testDeps, store: written.store, now: () => new Date() };
  const made = [];
  for (const name of ['kept', 'withdrawn', 'erased']) {
    const organisationId = await openOrganisation(deps, { name, plan: 'professional' }, meta);
    const proofId = ulid() as ProofId;
    const order = { organisationId, proofId, showsFileName: true, mayBeIndexed: false };
    made.push({ ...order, ...(await createLink(deps, { ...order, expiresAt: null }, meta)) });
  }
  const [kept, withdrawn, erased] = made;
  if (!kept || !withdrawn || !erased) throw new Error('three were made');
  await withdrawLink(deps, withdrawn, meta);
  const ending = createOrganisationEnding(written.pool);
  await ending.close(erased.organisationId);
  await endOrganisation({ ...deps, ending }, erased.organisationId, meta);
  const { db, store } = openTestStore(t, written.url);
  await prepareProjection(db, links);
  await catchUp({ db, store, projections: [links], position: await store.head() });
  const find = (token: string) => {
    const hash = linkTokenHash(token);
    return hash && findLink(db, hash);
  };
  const { organisationId, proofId, linkId } = kept;
  t.strictSame(await find(kept.token), { organisationId, proofId, linkId });
  t.equal(await find(withdrawn.token), null);
  t.equal(await find(erased.token), null);
});
