import type { Kysely } from 'kysely';
import { endOrganisation } from '../../commands/end-organisation.ts';
import type { OrganisationId } from '../../domain/ulid.ts';
import { OperatorError } from '../../errors/operator-error.ts';
import type { Database, StoreTables } from '../../event-store/database.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { createOrganisationEnding } from '../../event-store/organisation-ending.ts';
import type { BlobStorage } from '../../storage/contract.ts';
import { ProjectionBehind } from '../../subscriptions/await-position.ts';
import { catchUp } from '../../subscriptions/catch-up.ts';
import { isErasable } from '../../subscriptions/erasable.ts';
import { eraseFromBuilds } from '../../subscriptions/erase-from-builds.ts';
import type { Projection } from '../../subscriptions/projection.ts';
import { findLiveBuild } from '../../subscriptions/projection-builds.ts';

/**
 * Erased data may still exist: no key may be used and nothing served. The message says what to do.
 */
export class ErasuresNotApplied extends OperatorError {}

/**
 * Repeats erasures that the database does not know, since it is a restored backup. When the promise
 * resolves, the organisations' keys are destroyed, and no read model holds their data, nor does a build
 * kept for a rollback. Must be called before anything is served. Throws `ErasuresNotApplied`, also
 * if another release wrote the live build of a read model: then no organisation is ended.
 */
export async function applyErasures({
  storage,
  database: { pool, db },
  store,
  projections,
  forgetKeyUses,
  onErasing,
}: {
  readonly storage: Pick<BlobStorage, 'erasures'>;
  readonly database: Database;
  readonly store: EventStore;
  readonly projections: readonly Projection[];
  /** Deletes the recorded uses of the organisations' keys. */
  readonly forgetKeyUses: (organisationIds: readonly OrganisationId[]) => Promise<void>;
  /**
   * Names the organisations before the first one is ended. Later starts name only those that are
   * not ended yet.
   */
  readonly onErasing: (organisationIds: readonly OrganisationId[]) => void;
}): Promise<void> {
  const noted = await storage.erasures().catch(unreadable);
  if (noted.size === 0) return;
  const ending = createOrganisationEnding(pool);
  const unended = await ending.unended(noted);
  if (unended.length === 0) return;
  // The next start no longer sees the organisations that are ended. All that may fail for good, and
  // all that the log does not repeat, comes before.
  const erasables = projections.filter(isErasable);
  await requireOwnBuilds(db, erasables, unended);
  onErasing(unended);
  await eraseFromBuilds(db, erasables, unended);
  await forgetKeyUses(unended);
  for (const organisationId of unended) {
    await endOrganisation({ store, ending }, organisationId, { actor: 'start' });
  }
  const position = await store.head();
  await catchUp({ db, store, projections: erasables, position }).catch(behind);
}

/** Only the program of a build's version knows its tables, and can delete rows from them. */
async function requireOwnBuilds(
  db: Kysely<StoreTables>,
  erasables: readonly Projection[],
  organisationIds: readonly OrganisationId[],
): Promise<void> {
  for (const { name, version } of erasables) {
    const live = await findLiveBuild(db, name);
    if (live === null || live.version === version) continue;
    throw new ErasuresNotApplied(
      `the database contains organisations that were erased (${organisationIds.join(', ')}), and ` +
        `another release wrote it: version ${live.version} of the projection ${name} is live, but ` +
        `this release has version ${version}. Start the release that wrote it, which erases them ` +
        'again, then this one',
    );
  }
}

function unreadable(cause: Error): never {
  const advice = 'the file storage must be reachable when the service starts';
  const message = `it cannot be read which organisations were erased: ${cause.message}; ${advice}`;
  throw new ErasuresNotApplied(message, { cause });
}

/** The projections make no progress here, or in the process that holds their locks. */
function behind(cause: unknown): never {
  if (!(cause instanceof ProjectionBehind)) throw cause;
  const advice = 'end other processes that use this database, then start again';
  const message = `the erasures are not in the read models: ${cause.message}; ${advice}`;
  throw new ErasuresNotApplied(message, { cause });
}
