import type { Recorded } from '../domain/event.ts';
import type { DomainEvent } from '../domain/events.ts';
import type { EncryptedPersonal } from './encryption.ts';
import type { OrganisationKeys } from './keyring.ts';

/**
 * Cause of an event. `operator` and `client` are personal, and are encrypted. All else is an id made
 * by the service, never data from a caller.
 */
export interface EventMeta extends CauseOfEvent {
  /** Name of the operator who gave the order. */
  readonly operator?: string | undefined;
  /** Address of the client, as much of it as is to be recorded; stored as an HMAC if `hashed`. */
  readonly client?: { readonly address: string; readonly hashed: boolean } | undefined;
}

/** Personal members of an event's meta, decrypted. */
export interface PersonalMeta {
  readonly operator?: string;
  /** An address, a network, or `hmac:` and the HMAC of an address. */
  readonly client?: string;
}

interface CauseOfEvent {
  readonly requestId?: string;
  readonly keyId?: string;
  /** The person who acted in the console. */
  readonly personId?: string;
  /** An operator at the command line, or the part of the service that acted. */
  readonly actor?:
    | 'operator'
    | 'start'
    | 'timestamping'
    | 'anchoring'
    | 'attesting'
    | 'certificates'
    | 'api'
    | 'console'
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
  /** `readPersonal` decrypts its personal members. */
  readonly meta: CauseOfEvent & { readonly sealed?: EncryptedPersonal };
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
