import type { Viewer } from '../console-route.ts';
import { type Html, html } from '../html.ts';
import { untrusted } from '../untrusted.ts';

/** URL of an endpoint. A member sees its host only: the rest often holds a secret. */
export function webhookAddress(url: string, { person }: Viewer): Html {
  if (person.role === 'owner') return html`<code>${untrusted(url)}</code>`;
  return html`<code>${untrusted(hostOf(url))}</code>`;
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? 'host not readable';
}
