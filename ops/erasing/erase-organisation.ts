import { setTimeout as delay } from 'node:timers/promises';
import { access } from '../../projections/access/project.ts';
import { projections } from '../../projections/registry.ts';
import { closeOrganisation } from '../../src/commands/close-organisation.ts';
import { endOrganisation } from '../../src/commands/end-organisation.ts';
import { organisationDecider } from '../../src/domain/organisation/decider.ts';
import type { OrganisationState } from '../../src/domain/organisation/state.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import { streams } from '../../src/domain/streams.ts';
import type { KeyId, OrganisationId, PersonId } from '../../src/domain/ulid.ts';
import { load } from '../../src/event-store/handling/load.ts';
import { createOrganisationEnding } from '../../src/event-store/organisation-ending.ts';
import { forgetChallenges } from '../../src/http/console/challenges.ts';
import { forgetSessions } from '../../src/http/console/sessions.ts';
import { forgetKeyUses } from '../../src/http/keys/key-uses.ts';
import {
  forgetSubjects,
  subjectOfKey,
  subjectOfKeyItems,
  subjectOfOrganisation,
  subjectOfOrganisationItems,
  subjectOfPerson,
} from '../../src/http/limits/count-calls.ts';
import { enqueuing } from '../../src/reactors/webhooks/enqueuing.ts';
import type { BlobStorage } from '../../src/storage/contract.ts';
import { catchUp } from '../../src/subscriptions/catch-up.ts';
import { eraseFromBuilds } from '../../src/subscriptions/erase-from-builds.ts';
import type { OperatorSession } from '../session/operator-session.ts';
import { countUnfinishedWork, isIdle, type UnfinishedWork } from './unfinished-work.ts';
import { vacuumErased } from './vacuum-erased.ts';

/** Step of an erasure, for progress messages. */
export type ErasureStep =
  | { readonly step: 'closed' }
  | { readonly step: 'waiting'; readonly unfinished: UnfinishedWork }
  | { readonly step: 'noted' }
  | { readonly step: 'keys destroyed' }
  | { readonly step: 'read models dropped' }
  | { readonly step: 'files deleted' }
  | { readonly step: 'vacuumed'; readonly skipped: readonly string[] };

const lookAgainMs = 250;

/**
 * Erases an organisation: closes it; waits without limit for work in flight; notes the erasure
 * outside the database; appends its last event and destroys its keys; deletes its read models,
 * delivery log and files. Each step is idempotent. A new call after a kill at any moment does the
 * remaining steps. Refuses with ORGANISATION_NOT_FOUND.
 */
export async function eraseOrganisation(
  session: Pick<OperatorSession, 'store' | 'db' | 'pool' | 'meta' | 'now' | 'keyring'>,
  storage: Pick<BlobStorage, 'noteErasure' | 'deleteAll'>,
  organisationId: OrganisationId,
  onStep: (step: ErasureStep) => void,
): Promise<void> {
  const { store, db, pool, meta, now, keyring } = session;
  const ending = createOrganisationEnding(pool, { now, keyring });
  const { status } = await organisationToErase(store, organisationId);
  if (status === 'open') {
    await closeOrganisation({ store, ending }, organisationId, meta);
    await catchUp({ db, store, projections: [access], position: await store.head() });
    onStep({ step: 'closed' });
    await untilIdle(session, organisationId, onStep);
  }
  await storage.noteErasure(organisationId);
  onStep({ step: 'noted' });
  await endOrganisation({ store, ending }, organisationId, meta);
  onStep({ step: 'keys destroyed' });
  const folders = [...projections, enqueuing({ store, now })];
  await catchUp({ db, store, projections: folders, position: await store.head() });
  await eraseFromBuilds(db, projections, [organisationId]);
  await forgetCallersOf(session, organisationId);
  onStep({ step: 'read models dropped' });
  await storage.deleteAll(organisationId);
  onStep({ step: 'files deleted' });
  onStep({ step: 'vacuumed', skipped: await vacuumErased(pool, db) });
}

/** Loads the organisation, erased or not; refuses with ORGANISATION_NOT_FOUND. */
export async function organisationToErase(
  store: OperatorSession['store'],
  organisationId: OrganisationId,
): Promise<Exclude<OrganisationState, { status: 'unknown' }>> {
  const stream = streams.organisation(organisationId);
  const { state } = await load(store, stream, organisationDecider);
  if (state.status !== 'unknown') return state;
  throw new Refusal('ORGANISATION_NOT_FOUND', `there is no organisation ${organisationId}`);
}

/** A closed organisation starts no new work: once no work is in flight, none ever is. */
async function untilIdle(
  session: Pick<OperatorSession, 'store' | 'db' | 'pool'>,
  organisationId: OrganisationId,
  onStep: (step: ErasureStep) => void,
): Promise<void> {
  for (;;) {
    const unfinished = await countUnfinishedWork(session, organisationId);
    onStep({ step: 'waiting', unfinished });
    if (isIdle(unfinished)) return;
    await delay(lookAgainMs);
  }
}

/**
 * Deletes the sessions and challenges of an organisation's people, the request counts of its keys and
 * people, and the uses of its keys. The log names them in clear.
 */
async function forgetCallersOf(
  { pool, db, now }: Pick<OperatorSession, 'pool' | 'db' | 'now'>,
  organisationId: OrganisationId,
): Promise<void> {
  const keys = await pool.query<{ key: KeyId }>(
    `SELECT substr(stream, length('key-') + 1) AS key FROM events
     WHERE organisation_id = $1 AND type = 'KeyIssued'`,
    [organisationId],
  );
  const people = await pool.query<{ person: PersonId }>(
    `SELECT data::json ->> 'personId' AS person FROM events
     WHERE organisation_id = $1 AND type = 'PersonInvited'`,
    [organisationId],
  );
  const keyIds = keys.rows.map(({ key }) => key);
  const personIds = people.rows.map(({ person }) => person);
  // Sessions first: without one, no call counts for a person.
  await forgetSessions(db, organisationId);
  await forgetChallenges({ db, now }, organisationId);
  await forgetSubjects(pool, [
    // Proofs made in the console are counted like the calls of a key.
    ...[...keyIds, ...personIds].flatMap((id) => [subjectOfKey(id), subjectOfKeyItems(id)]),
    ...personIds.map(subjectOfPerson),
    subjectOfOrganisation(organisationId),
    subjectOfOrganisationItems(organisationId),
  ]);
  await forgetKeyUses(db, keyIds);
}
