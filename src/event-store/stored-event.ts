import type { Recorded } from '../domain/event.ts';
import type { DomainEvent } from '../domain/events.ts';
import type { OrganisationKeys } from './keyring.ts';

/** Cause of an event. Only ids made by the service, never data from a caller. */
export interface EventMeta {
  readonly requestId?: string;
  readonly keyId?: string;
  /** An operator at the command line, or the part of the service that acted. */
  readonly actor?:
    | 'operator'
    | 'start'
    | 'anchoring'
    | 'attesting'
    | 'certificates'
    | 'api'
    | 'webhooks';
  /** `event_id` of the event that caused this one. */
  readonly causedBy?: string;
}

/** A decoded event: upcast to the current schema, its confidential fields decrypted. */
export type StoredEvent<Event extends DomainEvent = DomainEvent> = Recorded<Event> & {
  readonly position: number;
  readonly organisationId: string | null;
  readonly stream: string;
  readonly version: number;
  readonly eventId: string;
  readonly meta: EventMeta;
};

/** A row of `events`, as stored. */
export interface EventRow {
  readonly position: number;
  readonly organisation_id: string | null;
  readonly stream: string;
  readonly version: number;
  readonly event_id: string;
  readonly type: string;
  readonly schema: number;
  readonly recorded_at: string;
  readonly data: string;
  readonly meta: string;
  readonly leaf: Buffer;
}

/** Confidential fields of a row as JSON, with the keys that encrypted them. */
export interface PlainFields {
  readonly keys: OrganisationKeys;
  readonly text: string;
}
