import type pg from 'pg';
import { OrganisationShut } from '../domain/organisation/organisation-shut.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import { StoreUnavailable } from '../event-store/connection-loss.ts';
import { countHolders, type SharedWorkLocks } from './work-locks.ts';

/**
 * Announces to all processes that files of an organisation are being received or made, or that an
 * endpoint of it is being tested. No event records this work yet. The erasure of the organisation
 * waits for it.
 */
export interface FileWork {
  /**
   * Announces `work`, then runs it. Rejects with `OrganisationShut` if the organisation is closed
   * or erased. Rejects with `StoreUnavailable` if the work cannot be announced.
   */
  during<Result>(organisationId: OrganisationId, work: () => Promise<Result>): Promise<Result>;
}

const defaultAnswerMs = 5_000;

/**
 * Announces work by locks that end with the process, so that none is left of a process that died.
 * `answerMs` limits the wait for the database to say whether an organisation is closed.
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
    // A lock that cannot be released ends with its connection.
    await locks.release(lockName(organisationId)).catch(() => {});
  };

  const askClosed = async (organisationId: OrganisationId): Promise<boolean> => {
    const text = 'SELECT FROM closed_organisations WHERE organisation_id = $1';
    // `query_timeout` is supported by pg, but missing from its types.
    const query = { ...{ query_timeout: answerMs }, text, values: [organisationId] };
    const { rowCount } = await pool.query(query);
    return (rowCount ?? 0) > 0;
  };

  /**
   * Take the lock before checking whether the organisation is closed. If a process closes it first
   * and then finds no work under way, this check sees the closing.
   */
  const announce = async (organisationId: OrganisationId) => {
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
        await announce(organisationId);
        return await work();
      } finally {
        await leave(organisationId);
      }
    },
  };
}

/** Number of processes in which such work of the organisation is under way. */
export function countFileWork(pool: pg.Pool, organisationId: OrganisationId): Promise<number> {
  return countHolders(pool, lockName(organisationId));
}

function lockName(organisationId: OrganisationId): string {
  return `files of ${organisationId}`;
}
