import type { Identity } from '../domain/person/events.ts';

/** Values of one sign-in, which nobody but the browser and the service can know. */
export interface SignInSecrets {
  /** Returned by the provider in the address of the browser. */
  readonly state: string;
  /** Returned by the provider within its signed statement. */
  readonly nonce: string;
  /** Sent by the service alone, so that nobody else can use the provider's code (PKCE). */
  readonly codeVerifier: string;
}

/** Statement of the provider about a person, its signature verified. */
export interface ProvidedIdentity {
  readonly identity: Identity;
  /** Address that the provider has verified; null if it states none, or an unverified one. */
  readonly email: string | null;
  readonly name: string | null;
}

/**
 * An identity provider (OpenID Connect, authorization code flow with PKCE). Each call rejects
 * with `ProviderError`; nothing is retried, since a code can be used once.
 */
export interface IdentityProvider {
  /** Name for people. */
  readonly name: string;
  /** Address to which the browser goes to sign in. */
  begin(redirectUrl: string, secrets: SignInSecrets): Promise<URL>;
  /** Reads the address at which the browser came back (`returned`), and asks the provider who it is. */
  finish(returned: URL, secrets: SignInSecrets): Promise<ProvidedIdentity>;
}

/**
 * Cause of a failed sign-in. The provider itself answered, or failed to: `away` (no answer), `refused`
 * (it refuses the service), `invalid` (its answer proves nothing). The browser came back without a
 * code that the provider accepts, which anybody can bring about: `cancelled` (the person, or the
 * provider for the person, declined), `unfinished` (any other reason).
 */
export type ProviderTrouble = 'away' | 'refused' | 'invalid' | 'cancelled' | 'unfinished';

/** Outcome of a sign-in at the provider. `confirmed`: the provider stated who the person is. */
export type SignInOutcome = 'confirmed' | ProviderTrouble;
