import type { Logger } from 'pino';
import type { ProviderTrouble } from '../../../identity/contract.ts';
import type { ProviderError } from '../../../identity/provider-error.ts';

const advice: Readonly<Record<ProviderTrouble, string>> = {
  away: 'the identity provider does not answer, so nobody can sign in by it; check OIDC_ISSUER and the network',
  refused:
    'the identity provider refuses the service, so nobody can sign in by it; check OIDC_CLIENT_ID, OIDC_CLIENT_SECRET and the redirect URI registered there',
  invalid:
    'a sign-in by the identity provider is not valid and was refused; if it happens to everybody, compare OIDC_ISSUER with the issuer that the provider states, and check the clocks',
  cancelled: 'a sign-in at the identity provider was cancelled',
  unfinished:
    'a browser came back from the identity provider without a code that it accepts, so nobody was signed in; anybody can bring this about, so act only if it happens to everybody',
};

/**
 * Logs a failed sign-in for the operator: its code, never an answer of the provider. A failure that
 * says nothing about the provider is no warning.
 */
export function logFailure(log: Logger, { trouble, code }: ProviderError): void {
  const isOfProvider = trouble !== 'cancelled' && trouble !== 'unfinished';
  log[isOfProvider ? 'warn' : 'info']({ code }, advice[trouble]);
}
