import { escapeHtml, type Texts } from './fill-texts.ts';
import type { SharedFacts } from './shared-facts.ts';

/**
 * Fills the page of a shared proof. Every value is escaped, and none is searched for placeholders.
 * The facts are in neutral colours: only the verifier on the page may call something proven.
 */
export function fillShared(
  html: string,
  { shared: words = {} }: Texts,
  facts: SharedFacts & { readonly token: string },
): string {
  const text = (name: string, values: Readonly<Record<string, string>> = {}) =>
    (words[name] ?? '').replace(/\{(\w+)\}/g, (whole, value) => values[value] ?? whole);
  const { fileName, ledger, revision, previousTransactionHash: previous } = facts;
  // A browser writes this time as its reader does; attributes have the plain words.
  const time = `<time datetime="${escapeHtml(facts.closeTimeIso)}">${escapeHtml(facts.time)}</time>`;
  const timed = (name: string) => {
    const [before = '', after = ''] = text(name, { ledger }).split('{time}');
    return escapeHtml(before) + time + escapeHtml(after);
  };
  const code = (value: string) => `<code>${escapeHtml(value)}</code>`;
  const transaction = (hash: string) => `<a href="../verify/${escapeHtml(hash)}">${code(hash)}</a>`;
  const signed =
    `<span id="issuer-signed">${escapeHtml(text('signedReading'))}</span>` +
    `<noscript>${escapeHtml(text('signedNoscript'))}</noscript>`;
  const rows: readonly (readonly [string, string] | null)[] = [
    fileName === null ? null : ['file', escapeHtml(fileName)],
    ['time', timed('timeOn')],
    ['issuer', `<bdi>${escapeHtml(facts.issuer)}</bdi>`],
    ['signed', signed],
    ['revision', escapeHtml(revision === null ? text('onlyRevision') : String(revision))],
    previous === null ? null : ['previous', transaction(previous)],
    ['fileHash', code(facts.fileHash)],
    ['transaction', transaction(facts.transactionHash)],
  ];
  const list = rows.flatMap((row) =>
    row === null ? [] : [`<dt>${escapeHtml(text(row[0]))}</dt><dd>${row[1]}</dd>`],
  );
  const values: Readonly<Record<string, string>> = {
    what: escapeHtml(fileName === null ? text('someFile') : text('namedFile', { name: fileName })),
    recorded: escapeHtml(text('recorded', { time: facts.time, ledger })),
    lead: timed('recorded'),
    facts: `<dl class="stated">${list.join('')}</dl>`,
    badgeText: escapeHtml(`Proofmark: ${facts.badge}`),
    token: escapeHtml(facts.token),
    robots: facts.mayBeIndexed ? '' : '<meta name="robots" content="noindex, nofollow, noarchive">',
  };
  return html.replace(/\{(what|recorded|lead|facts|badgeText|token|robots)\}/g, (_, name) => {
    return values[name] ?? '';
  });
}
