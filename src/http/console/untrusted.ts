import { type Html, html } from './html.ts';

const most = 300;

/**
 * Text of a caller or an agent. It is isolated, so that characters that change the direction of
 * writing end with it, and shortened to 300 characters.
 */
export function untrusted(text: string, mostCharacters = most): Html {
  return html`<bdi class="said">${shortened(text, mostCharacters)}</bdi>`;
}

/** The text, or its first characters and an ellipsis. Characters are never divided. */
export function shortened(text: string, mostCharacters = most): string {
  if (text.length <= mostCharacters) return text;
  return `${[...text.slice(0, 2 * mostCharacters)].slice(0, mostCharacters).join('')}…`;
}

/** Any JSON of an agent as text, shortened. */
export function untrustedJson(value: unknown, mostCharacters = most): Html {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return untrusted(text, mostCharacters);
}
