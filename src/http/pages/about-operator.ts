import type { IssuerKey } from '../../domain/issuer/decider.ts';
import { escapeHtml, type Texts } from './fill-texts.ts';
import type { PublicFacts } from './public-facts.ts';

/** Statements of the operator about itself. Null: not stated. */
export interface Operator {
  readonly name: string | null;
  /** `mailto:`, `https:` or `http:` URL. */
  readonly contact: string | null;
  readonly imprintUrl: string | null;
  readonly privacyUrl: string | null;
}

/** The line of the footer that names the operator and its pages, as HTML; empty if it has none. */
export function operatorLine(
  { name, contact, imprintUrl, privacyUrl }: Operator,
  texts: Texts,
): string {
  const link = (url: string | null, text: string | undefined) =>
    url === null ? [] : [`<a href="${escapeHtml(url)}">${escapeHtml(text ?? '')}</a>`];
  const parts = [
    ...(name === null
      ? []
      : [`${textOf(texts, 'operatedBy')} <strong>${escapeHtml(name)}</strong>`]),
    ...link(imprintUrl, texts.common?.imprint),
    ...link(privacyUrl, texts.common?.privacyPolicy),
    ...link(contact, texts.common?.contact),
  ];
  return parts.length === 0 ? '' : `<p>${parts.join(' · ')}</p>`;
}

function textOf(texts: Texts, name: string): string {
  return escapeHtml(texts.common?.[name] ?? '');
}

/** Accounts and keys as HTML lists; a sentence if they are not known now. */
export function factsInHtml(facts: PublicFacts | null, texts: Texts) {
  const words = texts.home ?? {};
  const unknown = `<p class="hint">${escapeHtml(words.factsUnknown ?? '')}</p>`;
  if (facts === null) return { accounts: unknown, logKeys: unknown, issuerKeys: unknown };
  const items = facts.accounts.map(({ address, network, status }) => {
    const notes = [words[network], ...(status === 'retired' ? [words.retired] : [])];
    return `<li><code>${escapeHtml(address)}</code> <span class="hint">${escapeHtml(notes.join(', '))}</span></li>`;
  });
  const keys = facts.logKeys.map((key) => `<li><code>${escapeHtml(key)}</code></li>`);
  const issuers = facts.issuerKeys.map(({ key, ...times }) => {
    return `<li><code>${escapeHtml(key)}</code> <span class="hint">${noteOf(times, words)}</span></li>`;
  });
  return {
    accounts: list(items, unknown),
    logKeys: list(keys, unknown),
    issuerKeys: list(issuers, unknown),
  };
}

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** The key's state as HTML. A browser writes the day as its reader does. */
function noteOf(
  { publishedAt, retiredAt, compromisedSince }: Omit<IssuerKey, 'key'>,
  words: Readonly<Record<string, string>>,
): string {
  const dated = (text = '', time: string) => {
    const [before = '', after = ''] = text.split('{date}');
    const date = `<time datetime="${escapeHtml(time.slice(0, 10))}">${day.format(new Date(time))}</time>`;
    return escapeHtml(before) + date + escapeHtml(after);
  };
  if (compromisedSince !== null) return dated(words.keyCompromised, compromisedSince);
  if (retiredAt !== null) return dated(words.keyRetired, retiredAt);
  return dated(words.keySigns, publishedAt);
}

function list(items: readonly string[], none: string): string {
  return items.length === 0 ? none : `<ul class="facts">${items.join('')}</ul>`;
}
