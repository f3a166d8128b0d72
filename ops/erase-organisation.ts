import { setTimeout as delay } from 'node:timers/promises';
import { access } from '../projections/access/project.ts';
import { projections } from '../projections/registry.ts';
import { closeOrganisation } from '../src/commands/close-organisation.ts';
import { eraseOrganisation as recordErasure } from '../src/commands/erase-organisation.ts';
import { load } from '../src/commands/load.ts';
import { organisationDecider } from '../src/domain/organisation/decider.ts';
import type { OrganisationState } from '../src/domain/organisation/state.ts';
import { Refusal } from '../src/domain/refusal.ts';
import { streams } from '../src/domain/streams.ts';
import type { OrganisationId } from '../src/domain/ulid.ts';
import { createOrganisationEnding } from '../src/event-store/organisation-ending.ts';
import { enqueuing } from '../src/reactors/webhooks/enqueuing.ts';
import type { BlobStorage } from '../src/storage/contract.ts';
import { catchUp } from '../src/subscriptions/catch-up.ts';
import { eraseFromBuilds } from './erase-from-builds.ts';
import { forgetKeysOf } from './forget-keys.ts';
import { countInFlight, type InFlight, isIdle } from './in-flight.ts';
import type { OperatorSession } from './operator-session.ts';
import { vacuumErased } from './vacuum-erased.ts';

/** How far an erasure has come, for who watches it. */
export type ErasureStep =
  | { readonly step: 'closed' }
  | { readonly step: 'waiting'; readonly inFlight: InFlight }
  | { readonly step: 'noted' }
  | { readonly step: 'keys destroyed' }
  | { readonly step: 'read models dropped' }
  | { readonly step: 'files deleted' }
  | { readonly step: 'vacuumed'; readonly skipped: readonly string[] };

const lookAgainMs = 250;

/**
 * Erases an organisation: it is closed; what is in flight is waited for, however long that takes; the
 * erasure is noted outside the database; its last event is appended and its keys are destroyed; its
 * read models, its delivery log and its files go. Each step may be repeated, and so the whole: after
 * a kill at any moment, or when it is erased already, it does what is left. Refuses with
 * ORGANISATION_NOT_FOUND.
 */
export async function eraseOrganisation(
  session: Pick<OperatorSession, 'store' | 'db' | 'pool' | 'meta' | 'now'>,
  storage: Pick<BlobStorage, 'noteErasure' | 'deleteAll'>,
  organisationId: OrganisationId,
  tell: (step: ErasureStep) => void,
): Promise<void> {
  const { store, db, pool, meta, now } = session;
  const ending = createOrganisationEnding(pool, now);
  const { status } = await organisationToErase(store, organisationId);
  if (status === 'open') {
    await closeOrganisation({ store, ending }, organisationId, meta);
    await catchUp({ db, store, projections: [access], position: await store.head() });
    tell({ step: 'closed' });
    await untilIdle(session, organisationId, tell);
  }
  await storage.noteErasure(organisationId);
  tell({ step: 'noted' });
  await recordErasure({ store, ending }, organisationId, meta);
  tell({ step: 'keys destroyed' });
  const folders = [...projections, enqueuing({ store, now })];
  await catchUp({ db, store, projections: folders, position: await store.head() });
  await eraseFromBuilds(db, organisationId);
  await forgetKeysOf(session, organisationId);
  tell({ step: 'read models dropped' });
  await storage.deleteAll(organisationId);
  tell({ step: 'files deleted' });
  tell({ step: 'vacuumed', skipped: await vacuumErased(pool, db) });
}

/** What is to be erased, or was; refuses with ORGANISATION_NOT_FOUND. */
export async function organisationToErase(
  store: OperatorSession['store'],
  organisationId: OrganisationId,
): Promise<Exclude<OrganisationState, { status: 'unknown' }>> {
  const stream = streams.organisation(organisationId);
  const { state } = await load(store, stream, organisationDecider);
  if (state.status !== 'unknown') return state;
  throw new Refusal('ORGANISATION_NOT_FOUND', `there is no organisation ${organisationId}`);
}

/** Nothing begins any more: once nothing is in flight, nothing ever is. */
async function untilIdle(
  session: Pick<OperatorSession, 'store' | 'db' | 'pool'>,
  organisationId: OrganisationId,
  tell: (step: ErasureStep) => void,
): Promise<void> {
  for (;;) {
    const inFlight = await countInFlight(session, organisationId);
    tell({ step: 'waiting', inFlight });
    if (isIdle(inFlight)) return;
    await delay(lookAgainMs);
  }
}
