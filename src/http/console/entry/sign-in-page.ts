import type { Reply } from '../../reply.ts';
import { consoleReply } from '../console-page.ts';
import { type Html, html } from '../html.ts';
import { type ProviderDeps, providerButton } from './provider-button.ts';

/** A form that was sent after its session had ended. */
interface Kept {
  readonly path: string;
  readonly form: URLSearchParams;
}

/**
 * The page to sign in, at the address that needs it. Afterwards the browser loads that address, or
 * sends what was typed (`kept`), so that the form is shown again. The page holds that itself: the service stores nothing.
 */
export function signInPage(
  options: ProviderDeps & {
    readonly root: string;
    readonly kept?: Kept;
    /** Default 200: the page itself was asked for. */
    readonly status?: 200 | 401;
  },
): Reply {
  const { root, kept, identityProvider, status = 200 } = options;
  const content = html`<h1>Sign in</h1>
    <p class="lead">${
      kept === undefined
        ? 'Use the passkey of this device, your phone or a security key.'
        : 'Your session has ended. What you typed is kept: sign in, and continue.'
    }</p>
    <noscript><p class="note">Passkeys need JavaScript. Switch it on for this page.</p></noscript>
    <p><button type="button" id="sign-in" disabled data-root="${root}"
      data-cancelled="Nothing was sent. Try again when you are ready."
      data-failed="This passkey does not sign in here. Ask an owner or the operator for a new invitation."
      data-unsupported="This browser has no passkeys. Use a current browser."
      data-trouble="The service does not answer. Try again shortly.">Sign in with a passkey</button></p>
    ${providerButton(identityProvider, root, 'Sign in')}
    <p id="state" class="note" role="status" hidden></p>
    ${kept === undefined ? null : keptForm(kept, root)}
    <p class="hint">No passkey yet, or lost it? An owner of your organisation or the operator can
    invite you again.</p>`;
  return consoleReply({
    ...{ title: 'Sign in', content, root, viewer: null },
    ...{ script: 'console-entry.js', status },
  });
}

function keptForm({ path, form }: Kept, root: string): Html {
  const fields = [...form]
    .filter(([name]) => name !== 'token' && name !== 'again')
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  return html`<form id="kept" method="post" action="${root}${path.slice(1)}">
      ${fields}<input type="hidden" name="again" value="1"><input type="hidden" name="token">
    </form>`;
}
