import canonicalize from 'canonicalize';
import type { EventDefinition } from '../domain/event.ts';
import { type DomainEvent, eventDefinitions } from '../domain/events.ts';
import { OrganisationShut } from '../domain/organisation/organisation-shut.ts';
import { encrypt } from './encryption.ts';
import type { OrganisationKeys } from './keyring.ts';
import { leafHash, textHash } from './leaf.ts';
import { newUlid } from './new-ulid.ts';
import { encryptPersonal, type PersonalKeys } from './personal-meta.ts';
import type { EventMeta, EventRow, PlainFields } from './stored-event.ts';

/** Row of an event without its position. */
export interface EncodedEvent extends Omit<EventRow, 'position'> {
  /** The confidential fields, unless there are none. */
  readonly plain: PlainFields | null;
}

/**
 * Encodes an event as its row, without the position: encrypts confidential fields, writes texts in
 * RFC 8785 form and computes the leaf. `keys` are null if there are none (any more). Events with
 * confidential fields are then refused with `OrganisationShut`. `serviceKeys` encrypt the operator's
 * name if there are no `keys`.
 */
export function encodeEvent(input: {
  readonly organisationId: string | null;
  readonly stream: string;
  readonly version: number;
  readonly event: DomainEvent;
  readonly meta: EventMeta;
  readonly recordedAt: string;
  readonly keys: OrganisationKeys | null;
  readonly serviceKeys?: PersonalKeys['service'];
}): EncodedEvent {
  const { organisationId, stream, version, event, recordedAt, keys, serviceKeys } = input;
  const eventId = newUlid();
  const { schema, written } = formOf(event);
  const { data, plain } = encryptData(input, written, eventId);
  const personalKeys = { organisation: keys, service: serviceKeys ?? null };
  const meta = canonical(encryptPersonal(input.meta, { organisationId, eventId }, personalKeys));
  const leaf = leafHash({
    eventId,
    organisationId,
    stream,
    version,
    type: event.type,
    schema,
    recordedAt,
    dataHash: textHash(data),
    metaHash: textHash(meta),
  });
  return {
    organisation_id: organisationId,
    stream,
    version,
    event_id: eventId,
    type: event.type,
    schema,
    recorded_at: recordedAt,
    data,
    meta,
    leaf,
    plain,
  };
}

/** Additional authenticated data that binds an event's encrypted fields to it. */
export function encryptionContext(organisationId: string, eventId: string): string {
  return `${organisationId}|${eventId}`;
}

/** The data to write and their schema: the one before if that has a form for the data. */
function formOf(event: DomainEvent): { readonly schema: number; readonly written: object } {
  const { schema, downcast } = definitionOf(event);
  const older = downcast?.(event.data) ?? null;
  return older === null ? { schema, written: event.data } : { schema: schema - 1, written: older };
}

function encryptData(
  input: { organisationId: string | null; event: DomainEvent; keys: OrganisationKeys | null },
  written: object,
  eventId: string,
): Pick<EncodedEvent, 'data' | 'plain'> {
  const { event, organisationId, keys } = input;
  const clearNames = clearFieldsOf(event);
  const clear: Record<string, unknown> = {};
  const confidential: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(written)) {
    if (clearNames.includes(name)) clear[name] = value;
    else confidential[name] = value;
  }
  if (Object.keys(confidential).length === 0) return { data: canonical(clear), plain: null };
  if (organisationId !== null && keys === null) throw new OrganisationShut(organisationId);
  if (organisationId === null || keys === null) {
    throw new Error(
      `${event.type} has confidential fields but no organisation whose key encrypts them`,
    );
  }
  const context = encryptionContext(organisationId, eventId);
  const text = canonical(confidential);
  const { iv, ct } = encrypt(text, keys.dataKey, context);
  const encrypted = { k: keys.dataKeyId, iv: iv.toString('base64'), ct: ct.toString('base64') };
  return { data: canonical({ ...clear, sealed: encrypted }), plain: { keys, text } };
}

function definitionOf(event: DomainEvent): EventDefinition<object> {
  // The definition belongs to this type of event. The compiler cannot follow the look-up.
  return eventDefinitions[event.type] as EventDefinition<object>;
}

function clearFieldsOf(event: DomainEvent): readonly string[] {
  const { clear } = definitionOf(event);
  return typeof clear === 'function' ? clear(event.data) : clear;
}

function canonical(value: object): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('the value has no JSON form');
  return text;
}
