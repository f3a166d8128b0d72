import type { EventDefinition } from '../domain/event.ts';
import { type DomainEvent, eventDefinitions } from '../domain/events.ts';
import { encryptionContext } from './encode.ts';
import { decrypt, type EncryptedFields } from './encryption.ts';
import type { Keyring, OrganisationKeys } from './keyring.ts';
import type { EventRow, PlainFields, StoredEvent } from './stored-event.ts';

/** A stored event that this program cannot read: a newer program wrote it, or it was altered. */
export class UnreadableEvent extends Error {
  constructor(row: Pick<EventRow, 'position' | 'type'>, why: string, options?: ErrorOptions) {
    super(`event ${row.position} (${row.type}) cannot be read: ${why}`, options);
    this.name = 'UnreadableEvent';
  }
}

/** Columns of a row from which an event is decoded; `data` is null if only the header was read. */
export type ReadRow = Omit<EventRow, 'leaf' | 'data'> & {
  readonly data: string | null;
  /** Set if this process wrote the row: it need not be decrypted with the same keys. */
  readonly plain?: PlainFields | null;
};

/** Decodes several rows, in their order, as `decodeEvent` does. */
export function decodeEvents(
  rows: readonly ReadRow[],
  keyring: Pick<Keyring, 'find'>,
): Promise<StoredEvent[]> {
  return decodeRows(rows, keyring, null);
}

/**
 * As `decodeEvents`, for rows that several readers request. Decodes a row again only if the keyring
 * has other keys of its organisation. Destroyed keys stay in use as long as in `decodeEvents`.
 */
export function createDecoder(
  keyring: Pick<Keyring, 'find'>,
): (rows: readonly ReadRow[]) => Promise<StoredEvent[]> {
  const known: DecodedRows = new WeakMap();
  return (rows) => decodeRows(rows, keyring, known);
}

async function decodeRows(
  rows: readonly ReadRow[],
  keyring: Pick<Keyring, 'find'>,
  known: DecodedRows | null,
): Promise<StoredEvent[]> {
  const stored = rows.map((row) => known?.get(row) ?? parse(row));
  const found = new Map<string, OrganisationKeys | null>();
  // Store before any wait, so that concurrent readers share the parsed rows.
  for (const one of stored) known?.set(one.row, one);
  for (const { isEncrypted, row } of stored) {
    const { organisation_id: id } = row;
    if (isEncrypted && id !== null && !found.has(id)) found.set(id, await keyring.find(id));
  }
  return stored.map((before) => {
    const { row, isEncrypted } = before;
    const one = known?.get(row) ?? before;
    const keys = (isEncrypted && found.get(row.organisation_id ?? '')) || null;
    if ('event' in one && one.keys === keys) return one.event;
    const event = decode('event' in one ? parse(row) : one, keys);
    known?.set(row, { row, isEncrypted, keys, event });
    return event;
  });
}

type DecodedRows = WeakMap<ReadRow, ParsedRow | DecodedRow>;

/**
 * A decoded row, with the keys that decrypted it. The keys are null if there were none, or none
 * were needed.
 */
interface DecodedRow {
  readonly row: ReadRow;
  readonly isEncrypted: boolean;
  readonly keys: OrganisationKeys | null;
  readonly event: StoredEvent;
}

/**
 * Decodes a row into an event. Decrypts the confidential fields and upcasts older schemas to the
 * current one. If the organisation's keys are gone, `erased` is true and only the clear fields are
 * present.
 */
export async function decodeEvent(
  row: ReadRow,
  keyring: Pick<Keyring, 'find'>,
): Promise<StoredEvent> {
  const [event] = await decodeEvents([row], keyring);
  if (event === undefined) throw new Error('unreachable');
  return event;
}

interface ParsedRow {
  readonly row: ReadRow;
  readonly definition: EventDefinition<object>;
  readonly clear: Record<string, unknown>;
  readonly encrypted: EncryptedFields | null;
  readonly isEncrypted: boolean;
}

function parse(row: ReadRow): ParsedRow {
  const definition = definitionOf(row);
  if (row.data === null) return { row, definition, clear: {}, encrypted: null, isEncrypted: false };
  const data = parseColumn(row, 'data', row.data);
  if (data.sealed === undefined) {
    return { row, definition, clear: data, encrypted: null, isEncrypted: false };
  }
  if (row.organisation_id === null) {
    throw new UnreadableEvent(row, 'it has encrypted fields but no organisation');
  }
  const { sealed: encrypted, ...clear } = data;
  return { row, definition, clear, encrypted: encrypted as EncryptedFields, isEncrypted: true };
}

function parseColumn(row: ReadRow, column: 'data' | 'meta', text: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (cause) {
    throw new UnreadableEvent(row, `its ${column} is not JSON`, { cause });
  }
  throw new UnreadableEvent(row, `its ${column} is not a JSON object`);
}

function decode(
  { row, definition, clear, encrypted }: ParsedRow,
  keys: OrganisationKeys | null,
): StoredEvent {
  const isErased = encrypted !== null && keys === null;
  const decrypted =
    encrypted === null || keys === null
      ? clear
      : { ...clear, ...decryptFields(row, encrypted, keys) };
  // `definitionOf` has checked the type, and `encodeEvent` wrote the data.
  const event = {
    position: row.position,
    organisationId: row.organisation_id,
    stream: row.stream,
    version: row.version,
    eventId: row.event_id,
    type: row.type,
    recordedAt: row.recorded_at,
    data: row.data === null ? decrypted : upcast(row, definition, decrypted),
    meta: parseColumn(row, 'meta', row.meta),
  };
  return (isErased ? { ...event, erased: true } : event) as unknown as StoredEvent;
}

function definitionOf(row: ReadRow): EventDefinition<object> {
  if (!Object.hasOwn(eventDefinitions, row.type)) {
    throw new UnreadableEvent(row, 'its type is unknown to this release');
  }
  return eventDefinitions[row.type as DomainEvent['type']] as EventDefinition<object>;
}

function decryptFields(
  row: ReadRow,
  encrypted: EncryptedFields,
  keys: OrganisationKeys,
): Record<string, unknown> {
  if (row.plain?.keys === keys) return JSON.parse(row.plain.text);
  try {
    if (keys.dataKeyId !== encrypted.k) throw new Error(`it was encrypted with key ${encrypted.k}`);
    const parts = {
      iv: Buffer.from(encrypted.iv, 'base64'),
      ct: Buffer.from(encrypted.ct, 'base64'),
    };
    const context = encryptionContext(row.organisation_id ?? '', row.event_id);
    return JSON.parse(decrypt(parts, keys.dataKey, context));
  } catch (cause) {
    throw new UnreadableEvent(row, 'its fields cannot be decrypted', { cause });
  }
}

function upcast(
  row: ReadRow,
  definition: EventDefinition<object>,
  stored: Record<string, unknown>,
): Record<string, unknown> {
  let data = stored;
  for (let schema = row.schema; schema < definition.schema; schema += 1) {
    const step = definition.upcasts?.[schema];
    if (step === undefined) throw new UnreadableEvent(row, `no step from schema ${schema}`);
    data = step(data);
  }
  if (row.schema > definition.schema) {
    throw new UnreadableEvent(row, `schema ${row.schema} is newer than this release knows`);
  }
  return data;
}
