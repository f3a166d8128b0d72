import type pg from 'pg';
import { OrganisationShut } from '../domain/organisation/organisation-shut.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import { StoreUnavailable } from '../event-store/connection-loss.ts';
import { countHolders, type SharedWorkLocks } from './work-locks.ts';

/**
 * Tells all processes where files of an organisation are being received or made, or an endpoint of it is
 * being tested: what is under way is in no event yet, and is waited for before the organisation is erased.
 */
export interface FileWork {
  /**
   * Runs `work` as under way, unless the organisation is to be erased or was: that is refused with
   * `OrganisationShut`. Rejects with `StoreUnavailable` where nobody can be told.
   */
  during<Result>(organisationId: OrganisationId, work: () => Promise<Result>): Promise<Result>;
}

const defaultAnswerMs = 5_000;

/**
 * By locks that go with the process: of one that died nothing is under way. `answerMs` is how long
 * the database may take to say whether an organisation is closed.
 */
export function createFileWork(
  pool: pg.Pool,
  locks: Pick<SharedWorkLocks, 'share' | 'release'>,
  answerMs = defaultAnswerMs,
): FileWork {
  const underWay = new Map<OrganisationId, number>();

  const leave = async (organisationId: OrganisationId) => {
    const left = (underWay.get(organisationId) ?? 0) - 1;
    if (left > 0) {
      underWay.set(organisationId, left);
      return;
    }
    underWay.delete(organisationId);
    // A lock that cannot be given back goes with its connection.
    await locks.release(lockName(organisationId)).catch(() => {});
  };

  const askClosed = async (organisationId: OrganisationId): Promise<boolean> => {
    const text = 'SELECT FROM closed_organisations WHERE organisation_id = $1';
    // `query_timeout` is known to pg, but not to its types.
    const query = { ...{ query_timeout: answerMs }, text, values: [organisationId] };
    const { rowCount } = await pool.query(query);
    return (rowCount ?? 0) > 0;
  };

  /** In this order: whoever closes it first and then finds nothing under way is seen here. */
  const tell = async (organisationId: OrganisationId) => {
    await locks.share(lockName(organisationId)).catch((cause: unknown) => {
      throw new StoreUnavailable({ cause });
    });
    const isClosed = await askClosed(organisationId).catch((cause: unknown) => {
      throw new StoreUnavailable({ cause });
    });
    if (isClosed) throw new OrganisationShut(organisationId);
  };

  return {
    async during(organisationId, work) {
      underWay.set(organisationId, (underWay.get(organisationId) ?? 0) + 1);
      try {
        await tell(organisationId);
        return await work();
      } finally {
        await leave(organisationId);
      }
    },
  };
}

/** In how many processes such work of the organisation is under way. */
export function countFileWork(pool: pg.Pool, organisationId: OrganisationId): Promise<number> {
  return countHolders(pool, lockName(organisationId));
}

function lockName(organisationId: OrganisationId): string {
  return `files of ${organisationId}`;
}
