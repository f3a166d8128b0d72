import type { EventDefinition } from '../domain/event.ts';
import { type DomainEvent, eventDefinitions } from '../domain/events.ts';
import { sealContext } from './encode.ts';
import type { Keyring, OrganisationKeys } from './keyring.ts';
import { type Sealed, unseal } from './sealing.ts';
import type { EventRow, StoredEvent } from './stored-event.ts';

/** A stored event that this program cannot read: a newer program wrote it, or it was altered. */
export class UnreadableEvent extends Error {
  constructor(row: Pick<EventRow, 'position' | 'type'>, why: string, options?: ErrorOptions) {
    super(`event ${row.position} (${row.type}) cannot be read: ${why}`, options);
    this.name = 'UnreadableEvent';
  }
}

/** Columns of a row from which an event is decoded; `data` is null if only the header was read. */
export type ReadRow = Omit<EventRow, 'leaf' | 'data'> & { readonly data: string | null };

/** Several rows, in their order; as `decodeEvent`. */
export async function decodeEvents(
  rows: readonly ReadRow[],
  keyring: Pick<Keyring, 'find'>,
): Promise<StoredEvent[]> {
  const stored = rows.map((row) => parse(row));
  const keys = new Map<string, OrganisationKeys | null>();
  for (const { sealed, row } of stored) {
    const { organisation_id: id } = row;
    if (sealed && id !== null && !keys.has(id)) keys.set(id, await keyring.find(id));
  }
  return stored.map((one) => decode(one, keys.get(one.row.organisation_id ?? '') ?? null));
}

/**
 * The one way from a row to an event: opens the sealed fields, brings older schemas to today's.
 * Where the organisation's keys are gone, `erased` is true and only the clear fields are there.
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
  readonly sealed: Sealed | null;
}

function parse(row: ReadRow): ParsedRow {
  const definition = definitionOf(row);
  if (row.data === null) return { row, definition, clear: {}, sealed: null };
  const data = parseColumn(row, 'data', row.data);
  if (data.sealed === undefined) return { row, definition, clear: data, sealed: null };
  if (row.organisation_id === null) {
    throw new UnreadableEvent(row, 'it is sealed but belongs to no organisation');
  }
  const { sealed, ...clear } = data;
  return { row, definition, clear, sealed: sealed as Sealed };
}

function parseColumn(row: ReadRow, column: 'data' | 'meta', text: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (cause) {
    throw new UnreadableEvent(row, `its ${column} is not JSON`, { cause });
  }
  throw new UnreadableEvent(row, `its ${column} is JSON, but no object`);
}

function decode(
  { row, definition, clear, sealed }: ParsedRow,
  keys: OrganisationKeys | null,
): StoredEvent {
  const isErased = sealed !== null && keys === null;
  const opened =
    sealed === null || keys === null ? clear : { ...clear, ...open(row, sealed, keys) };
  // `definitionOf` has checked that the type is one of ours; its data is what `encodeEvent` wrote.
  const event = {
    position: row.position,
    organisationId: row.organisation_id,
    stream: row.stream,
    version: row.version,
    eventId: row.event_id,
    type: row.type,
    recordedAt: row.recorded_at,
    data: row.data === null ? opened : upcast(row, definition, opened),
    meta: parseColumn(row, 'meta', row.meta),
  };
  return (isErased ? { ...event, erased: true } : event) as unknown as StoredEvent;
}

function definitionOf(row: ReadRow): EventDefinition<object> {
  if (!Object.hasOwn(eventDefinitions, row.type)) {
    throw new UnreadableEvent(row, 'its type is unknown to this version of the program');
  }
  return eventDefinitions[row.type as DomainEvent['type']] as EventDefinition<object>;
}

function open(row: ReadRow, sealed: Sealed, keys: OrganisationKeys): Record<string, unknown> {
  try {
    if (keys.dataKeyId !== sealed.k) throw new Error(`it was sealed with key ${sealed.k}`);
    const parts = { iv: Buffer.from(sealed.iv, 'base64'), ct: Buffer.from(sealed.ct, 'base64') };
    const context = sealContext(row.organisation_id ?? '', row.event_id);
    return JSON.parse(unseal(parts, keys.dataKey, context));
  } catch (cause) {
    throw new UnreadableEvent(row, 'its sealed fields do not open', { cause });
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
    throw new UnreadableEvent(row, `schema ${row.schema} is newer than this program's`);
  }
  return data;
}
