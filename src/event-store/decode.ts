import type { EventDefinition } from '../domain/event.ts';
import { type DomainEvent, eventDefinitions } from '../domain/events.ts';
import { sealContext } from './encode.ts';
import type { Keyring } from './keyring.ts';
import { type Sealed, unseal } from './sealing.ts';
import type { EventRow, StoredEvent } from './stored-event.ts';

/** A stored event that this program cannot read: a newer program wrote it, or it was altered. */
export class UnreadableEvent extends Error {
  constructor(row: Pick<EventRow, 'position' | 'type'>, why: string, options?: ErrorOptions) {
    super(`event ${row.position} (${row.type}) cannot be read: ${why}`, options);
    this.name = 'UnreadableEvent';
  }
}

/**
 * The one way from a row to an event: opens the sealed fields, brings older schemas to today's.
 * Where the organisation's keys are gone, `erased` is true and only the clear fields are there.
 */
export async function decodeEvent(row: EventRow, keyring: Keyring): Promise<StoredEvent> {
  const definition = definitionOf(row);
  const { sealed, ...clear } = JSON.parse(row.data) as Record<string, unknown>;
  const opened = sealed === undefined ? {} : await open(row, sealed as Sealed, keyring);
  const data = upcast(row, definition, { ...clear, ...opened });
  // `definitionOf` has checked that the type is one of ours; its data is what `encodeEvent` wrote.
  return {
    position: row.position,
    organisationId: row.organisation_id,
    stream: row.stream,
    version: row.version,
    eventId: row.event_id,
    type: row.type,
    recordedAt: row.recorded_at,
    data,
    meta: JSON.parse(row.meta),
    ...(opened === null ? { erased: true } : {}),
  } as unknown as StoredEvent;
}

function definitionOf(row: EventRow): EventDefinition<object> {
  if (!Object.hasOwn(eventDefinitions, row.type)) {
    throw new UnreadableEvent(row, 'its type is unknown to this version of the program');
  }
  return eventDefinitions[row.type as DomainEvent['type']] as EventDefinition<object>;
}

async function open(
  row: EventRow,
  sealed: Sealed,
  keyring: Keyring,
): Promise<Record<string, unknown> | null> {
  if (row.organisation_id === null) {
    throw new UnreadableEvent(row, 'it is sealed but belongs to no organisation');
  }
  const keys = await keyring.find(row.organisation_id);
  if (keys === null) return null;
  try {
    if (keys.dataKeyId !== sealed.k) throw new Error(`it was sealed with key ${sealed.k}`);
    const parts = { iv: Buffer.from(sealed.iv, 'base64'), ct: Buffer.from(sealed.ct, 'base64') };
    return JSON.parse(unseal(parts, keys.dataKey, sealContext(row.organisation_id, row.event_id)));
  } catch (cause) {
    throw new UnreadableEvent(row, 'its sealed fields do not open', { cause });
  }
}

function upcast(
  row: EventRow,
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
