import type { IssuerKey } from '../domain/issuer/decider.ts';
import type { IssuerEvent } from '../domain/issuer/events.ts';
import type { StreamName } from '../domain/stream-name.ts';

/** The issuer's key that signs now. */
export interface SigningKey {
  /** Verifier key for others: `NAME+ID+KEY`. */
  readonly key: string;
  /** The stream with the issuer's keys, and its version with this key as the current one. */
  readonly stream: StreamName<IssuerEvent>;
  readonly version: number;
  /** Returns 64 bytes, always the same for the same text. */
  sign(text: string): Buffer;
}

/** A key with the log positions of its events. */
export interface ListedIssuerKey extends IssuerKey {
  readonly publishedPosition: number;
  readonly retiredPosition: number | null;
  /** Of the newest event that says so; null if there is none. */
  readonly compromisedPosition: number | null;
}

/** The keys with which the issuer signs bundles. */
export interface IssuerKeys {
  /**
   * The key that signs now, as the log has it at this moment. Makes and publishes the first key if
   * there is none. Rejects with `StoreUnavailable`, and with `IssuerKeyMissing` if its private part
   * is not there.
   */
  current(): Promise<SigningKey>;
  /** All keys, newest first. Rejects with `StoreUnavailable`. */
  list(): Promise<readonly ListedIssuerKey[]>;
}
