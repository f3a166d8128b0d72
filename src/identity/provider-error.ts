import type { ProviderTrouble } from './contract.ts';

/** A failed sign-in at a provider. Holds codes only: answers of a provider may have secrets. */
export class ProviderError extends Error {
  readonly trouble: ProviderTrouble;
  /** Code of the library or of OAuth, such as `invalid_client`; null if there is none of its form. */
  readonly code: string | null;

  constructor(trouble: ProviderTrouble, given: string | null) {
    const code = given !== null && /^[\w.-]{1,60}$/.test(given) ? given : null;
    super(
      `the sign-in at the identity provider failed: ${trouble}${code === null ? '' : ` (${code})`}`,
    );
    this.name = 'ProviderError';
    this.trouble = trouble;
    this.code = code;
  }
}
