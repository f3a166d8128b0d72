import { sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { StoreTables } from '../../../src/event-store/database.ts';
import { decodeEvent, decodeEvents } from '../../../src/event-store/decode.ts';
import type { Keyring } from '../../../src/event-store/keyring.ts';
import type { StoredEvent } from '../../../src/event-store/stored-event.ts';
import type { Named, Projection } from '../../../src/subscriptions/projection.ts';
import { errorMessage } from '../../terminal/error-message.ts';
import { isOutOfReach } from '../findings/out-of-reach.ts';
import type { FoundRow } from '../rows/found-row.ts';
import { type Queryable, readRowPages } from '../rows/read-rows.ts';
import { inSavepoint } from './in-savepoint.ts';

interface FoldOptions {
  readonly database: Queryable;
  readonly keyring: Pick<Keyring, 'find'>;
  readonly projection: Pick<Projection, 'types' | 'project'>;
  readonly named: Named;
  readonly upTo: number;
  /**
   * Leaves out events on which the projection fails; otherwise such an event is an error. Costs a
   * savepoint for each batch. A transaction should not have many of them beside a busy service.
   */
  readonly isCareful: boolean;
  readonly onPosition?: (position: number) => void;
}

export interface Folded {
  /** Events that cannot be read, or on which the projection fails. */
  readonly leftOut: readonly LeftOut[];
  /** Number of events whose encrypted fields no key decrypted. */
  readonly unopened: number;
  /** False if too many events were left out: the rest of the log was not folded. */
  readonly isWhole: boolean;
}

interface LeftOut {
  readonly position: number;
  readonly why: string;
  readonly stream: string;
  /** Organisation. */
  readonly owner: string | null;
  /** As found, or decrypted. */
  readonly data: string;
}

const mostLeftOut = 1_000;
/** Messages of PostgreSQL quote values, which may be of any length. */
const mostCharacters = 1_000;
const batchEvents = 1_000;

/** Folds the log into the empty tables of a projection. */
export async function foldLog(
  trx: Transaction<StoreTables>,
  { database, keyring, projection, named, upTo, isCareful, onPosition }: FoldOptions,
): Promise<Folded> {
  const leftOut: LeftOut[] = [];
  let unopened = 0;
  const leaveOut = (event: Omit<LeftOut, 'why'>, error: unknown) => {
    if (isOutOfReach(error)) throw error;
    leftOut.push({ ...event, why: errorMessage(error).slice(0, mostCharacters) });
  };
  const decode = async (rows: readonly FoundRow[]): Promise<readonly StoredEvent[]> => {
    try {
      return await decodeEvents(rows, keyring);
    } catch {
      const events: StoredEvent[] = [];
      for (const row of rows) {
        const event = await decodeOne(row, keyring).catch((error) => {
          if (error instanceof pg.DatabaseError) throw error;
          leaveOut(namesOf(row), error);
        });
        if (event) events.push(event);
      }
      return events;
    }
  };
  const fold = async (events: readonly StoredEvent[]): Promise<void> => {
    const [first, second] = events;
    if (first === undefined || leftOut.length >= mostLeftOut) return;
    const project = () => projection.project(trx, events, named);
    if (!isCareful) return project();
    try {
      await inSavepoint(trx, project);
    } catch (error) {
      if (second === undefined) {
        const { position, stream, data, organisationId: owner } = first;
        return leaveOut({ position, stream, owner, data: JSON.stringify(data) }, error);
      }
      if (isOutOfReach(error)) throw error;
      const half = events.length >> 1;
      await fold(events.slice(0, half));
      await fold(events.slice(half));
    }
  };
  for await (const page of readRowPages(database, { upTo, types: projection.types })) {
    // PostgreSQL ends a transaction that is idle for long, such as while rows are searched.
    await sql`SELECT`.execute(trx);
    for (let from = 0; from < page.rows.length; from += batchEvents) {
      const events = await decode(page.rows.slice(from, from + batchEvents));
      unopened += events.filter((event) => event.erased).length;
      await fold(events);
    }
    if (leftOut.length >= mostLeftOut) return { leftOut, unopened, isWhole: false };
    onPosition?.(page.position);
  }
  return { leftOut, unopened, isWhole: true };
}

function namesOf({ position, stream, data, organisation_id: owner }: FoundRow) {
  return { position, stream, data, owner };
}

/** No projection reads `meta`: an event of which only `meta` is damaged is folded. */
async function decodeOne(row: FoundRow, keyring: Pick<Keyring, 'find'>): Promise<StoredEvent> {
  return decodeEvent(row, keyring).catch(() => decodeEvent({ ...row, meta: '{}' }, keyring));
}
