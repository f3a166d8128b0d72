import { eraseOrganisation } from '../../commands/erase-organisation.ts';
import { OperatorError } from '../../errors/operator-error.ts';
import type { Database } from '../../event-store/database.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { createOrganisationEnding } from '../../event-store/organisation-ending.ts';
import type { BlobStorage } from '../../storage/contract.ts';
import { ProjectionBehind } from '../../subscriptions/await-position.ts';
import { catchUp } from '../../subscriptions/catch-up.ts';
import type { LogFolder } from '../../subscriptions/projection.ts';

/** What was erased may be there: no key may be used and nothing served. The message says what to do. */
export class ErasuresNotApplied extends OperatorError {}

/**
 * Erases again what was erased, where the database is a restored backup that does not know of it:
 * when it resolves their keys are destroyed, and no read model holds anything of them. To be called
 * before anything is served. Returns how many organisations it were. Throws `ErasuresNotApplied`.
 */
export async function applyErasures({
  storage,
  database: { pool, db },
  store,
  projections,
}: {
  readonly storage: Pick<BlobStorage, 'erasures'>;
  readonly database: Database;
  readonly store: EventStore;
  readonly projections: readonly LogFolder[];
}): Promise<number> {
  const noted = await storage.erasures().catch(unreadable);
  if (noted.size === 0) return 0;
  const ending = createOrganisationEnding(pool);
  const unended = await ending.unended(noted);
  for (const organisationId of unended) {
    await eraseOrganisation({ store, ending }, organisationId, { actor: 'start' });
  }
  if (unended.length > 0) {
    await catchUp({ db, store, projections, position: await store.head() }).catch(behind);
  }
  return unended.length;
}

function unreadable(cause: Error): never {
  const advice = 'the file storage must be reachable when the service starts';
  const message = `it cannot be read which organisations were erased: ${cause.message}; ${advice}`;
  throw new ErasuresNotApplied(message, { cause });
}

/** A build of another version is folded by the program that it belongs to, and by none else. */
function behind(cause: unknown): never {
  if (!(cause instanceof ProjectionBehind)) throw cause;
  const advice = 'start the program that wrote this database once, then this one';
  const message = `what was erased cannot be dropped: ${cause.message}; ${advice}`;
  throw new ErasuresNotApplied(message, { cause });
}
