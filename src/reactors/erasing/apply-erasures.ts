import { endOrganisation } from '../../commands/end-organisation.ts';
import type { OrganisationId } from '../../domain/ulid.ts';
import { OperatorError } from '../../errors/operator-error.ts';
import type { Database } from '../../event-store/database.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { createOrganisationEnding } from '../../event-store/organisation-ending.ts';
import type { BlobStorage } from '../../storage/contract.ts';
import { ProjectionBehind } from '../../subscriptions/await-position.ts';
import { catchUp } from '../../subscriptions/catch-up.ts';
import { eraseFromBuilds } from '../../subscriptions/erase-from-builds.ts';
import type { Projection } from '../../subscriptions/projection.ts';

/**
 * Erased data may still exist: no key may be used and nothing served. The message says what to do.
 */
export class ErasuresNotApplied extends OperatorError {}

/**
 * Repeats erasures that the database does not know, since it is a restored backup. When the promise
 * resolves, the organisations' keys are destroyed, and no read model holds their data, nor does a build
 * kept for a rollback. Must be called before anything is served. Returns the organisations. Throws
 * `ErasuresNotApplied`.
 */
export async function applyErasures({
  storage,
  database: { pool, db },
  store,
  projections,
  forgetKeyUses,
}: {
  readonly storage: Pick<BlobStorage, 'erasures'>;
  readonly database: Database;
  readonly store: EventStore;
  readonly projections: readonly Projection[];
  /** Deletes the recorded uses of the organisations' keys. */
  readonly forgetKeyUses: (organisationIds: readonly OrganisationId[]) => Promise<void>;
}): Promise<readonly OrganisationId[]> {
  const noted = await storage.erasures().catch(unreadable);
  if (noted.size === 0) return [];
  const ending = createOrganisationEnding(pool);
  const unended = await ending.unended(noted);
  if (unended.length === 0) return [];
  // First, because a start after a kill no longer sees the organisations that are ended.
  await eraseFromBuilds(db, projections, unended);
  await forgetKeyUses(unended);
  for (const organisationId of unended) {
    await endOrganisation({ store, ending }, organisationId, { actor: 'start' });
  }
  await catchUp({ db, store, projections, position: await store.head() }).catch(behind);
  return unended;
}

function unreadable(cause: Error): never {
  const advice = 'the file storage must be reachable when the service starts';
  const message = `it cannot be read which organisations were erased: ${cause.message}; ${advice}`;
  throw new ErasuresNotApplied(message, { cause });
}

/** Only the program that a build belongs to can fold that build. */
function behind(cause: unknown): never {
  if (!(cause instanceof ProjectionBehind)) throw cause;
  const advice = 'start the program that wrote this database once, then this one';
  const message = `what was erased cannot be dropped: ${cause.message}; ${advice}`;
  throw new ErasuresNotApplied(message, { cause });
}
