import type { IdentityProvider } from '../../../identity/contract.ts';
import { type Html, html } from '../html.ts';

/** Dependency of pages by which people come in. */
export interface ProviderDeps {
  /** Identity provider (OpenID Connect); null or absent without one. */
  readonly identityProvider: IdentityProvider | null | undefined;
}

/** Button that leads to the provider, disabled until its script listens; null without one. */
export function providerButton(
  provider: ProviderDeps['identityProvider'],
  root: string,
  verb: 'Sign in' | 'Join',
): Html | null {
  if (provider == null) return null;
  return html`<p><button type="button" class="plain" id="provider" disabled data-root="${root}"
      data-failed="The invitation was used, has ended or does not exist. Ask for a new one."
      data-away="${provider.name} does not answer. Try again shortly, or use a passkey."
      data-trouble="The service does not answer. Try again shortly.">${verb} with ${provider.name}</button></p>`;
}
