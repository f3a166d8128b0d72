import type pg from 'pg';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import type { Keyring } from '../../src/event-store/keyring.ts';
import { hashedAddress, readPersonal } from '../../src/event-store/personal-meta.ts';
import type { PersonalMeta, StoredEvent } from '../../src/event-store/stored-event.ts';
import { parseAddress } from '../../src/http/limits/client-address.ts';
import { truncatedAddress, wholeAddress } from '../../src/http/limits/recorded-address.ts';
import { administrativeTypes, bookkeepingTypes } from './administrative-events.ts';

/** One event of the log, with who caused it. */
export interface Action {
  readonly position: number;
  readonly at: string;
  /** Type of the event. */
  readonly action: string;
  /** Stream of the event: the thing that was acted on. */
  readonly subject: string;
  readonly organisationId: string | null;
  /** The operator, the API, or the part of the service that acted. */
  readonly actor: string | null;
  /** Null if no name was recorded, or it was erased. */
  readonly operator: string | null;
  /** Key of an API call. */
  readonly keyId: string | null;
  /** Person who acted in the console. */
  readonly personId: string | null;
  /** Address, network or HMAC of the client; null if none was recorded, or it was erased. */
  readonly client: string | null;
  readonly requestId: string | null;
  /** True if a name or an address was recorded, and its key was destroyed. */
  readonly erased: boolean;
}

export interface WantedActions {
  readonly organisationId?: OrganisationId | undefined;
  /** Name of an operator, or id of a key or a person. */
  readonly by?: string | undefined;
  /** Address of a client; also finds its network and its HMAC. */
  readonly address?: string | undefined;
  /** Earliest time, as in `recordedAt`. */
  readonly since?: string | undefined;
  /** Also events that are no administrative action. */
  readonly all?: boolean | undefined;
  readonly limit: number;
}

/** Positions that one statement reads, so that none takes long. */
const positionsPerRead = 20_000;

/** Times follow the clocks of several machines, so a later event can have an earlier time. */
const clockToleranceMs = 86_400_000;

/** Returns the newest actions that match, newest first. */
export async function readActions(
  { pool, keyring }: { readonly pool: pg.Pool; readonly keyring: Pick<Keyring, 'find'> },
  wanted: WantedActions,
): Promise<readonly Action[]> {
  const found: Action[] = [];
  const { since = '' } = wanted;
  const oldest = since && new Date(Date.parse(since) - clockToleranceMs).toISOString();
  const { rows: head } = await pool.query<{ position: number }>('SELECT position FROM log_head');
  for (let from = head[0]?.position ?? 0; from > 0; from -= positionsPerRead) {
    const rows = await readRows(pool, from, wanted);
    if (rows.length > 0 && rows.every((row) => row.recorded_at < oldest)) return found;
    for (const row of rows) {
      if (row.recorded_at < since) continue;
      const action = await actionOf(row, keyring);
      if (!(await matches(action, wanted, keyring))) continue;
      found.push(action);
      if (found.length === wanted.limit) return found;
    }
  }
  return found;
}

interface ActionRow {
  readonly position: number;
  readonly organisation_id: string | null;
  readonly stream: string;
  readonly event_id: string;
  readonly type: string;
  readonly recorded_at: string;
  readonly meta: string;
}

async function readRows(
  pool: pg.Pool,
  from: number,
  { organisationId, all = false }: WantedActions,
): Promise<readonly ActionRow[]> {
  const { rows } = await pool.query<ActionRow>(
    `SELECT position, organisation_id, stream, event_id, type, recorded_at, meta FROM events
     WHERE position > $1 AND position <= $2 AND ($3::text IS NULL OR organisation_id = $3)
       AND ($4 OR type = ANY($5)
         OR (strpos(meta, '"actor":"operator"') > 0 AND type <> ALL($6)))
     ORDER BY position DESC`,
    [
      from - positionsPerRead,
      from,
      organisationId ?? null,
      all,
      administrativeTypes,
      bookkeepingTypes,
    ],
  );
  return rows;
}

async function actionOf(row: ActionRow, keyring: Pick<Keyring, 'find'>): Promise<Action> {
  const meta = JSON.parse(row.meta) as StoredEvent['meta'];
  const event = { organisationId: row.organisation_id, eventId: row.event_id, meta };
  const personal: PersonalMeta | null = await readPersonal(event, keyring);
  return {
    position: row.position,
    at: row.recorded_at,
    action: row.type,
    subject: row.stream,
    organisationId: row.organisation_id,
    actor: meta.actor ?? null,
    operator: personal?.operator ?? null,
    keyId: meta.keyId ?? null,
    personId: meta.personId ?? null,
    client: personal?.client ?? null,
    requestId: meta.requestId ?? null,
    erased: personal === null,
  };
}

async function matches(
  { operator, keyId, personId, client, organisationId }: Action,
  { by, address }: WantedActions,
  keyring: Pick<Keyring, 'find'>,
): Promise<boolean> {
  if (by !== undefined && ![operator, keyId, personId].includes(by)) return false;
  if (address === undefined) return true;
  const parsed = parseAddress(address);
  if (client === null || parsed === null || organisationId === null) return false;
  const whole = wholeAddress(parsed);
  if (client === whole || client === truncatedAddress(parsed)) return true;
  const keys = await keyring.find(organisationId);
  return keys !== null && client === hashedAddress(whole, keys);
}
