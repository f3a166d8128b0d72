import { element } from './element.js';
import { mark } from './mark.js';
import { pathOf } from './path-of.js';
import { verdictKind, verdictTitle } from './show-verdict.js';
import { shownName, text, utcTime } from './texts.js';

/** @import { Card, Kind } from './verdict.ts' */

export const tableHeads = /** @type {const} */ ([
  'verify.tableFile',
  'verify.tableVerdict',
  'verify.tableTime',
  'verify.tableProof',
]);

/**
 * A table of all verdicts, problems first. Each row leads to its card.
 * @param {readonly Card[]} cards
 */
export function showTable(cards) {
  const sorted = cards.toSorted((a, b) => rankOf(a.judgement) - rankOf(b.judgement));
  return element(
    'div',
    { class: 'table', role: 'region', 'aria-label': text('verify.verdicts'), tabindex: '0' },
    element(
      'table',
      {},
      element('caption', { class: 'unseen' }, text('verify.verdicts')),
      element(
        'thead',
        {},
        element('tr', {}, ...tableHeads.map((name) => element('th', { scope: 'col' }, text(name)))),
      ),
      element('tbody', {}, ...sorted.map(showRow)),
    ),
  );
}

/** @type {readonly Kind[]} */
const order = ['disproven', 'unknown', 'open', 'partial', 'trial', 'proven'];

/**
 * Place of a verdict in a table: problems come first.
 * @param {{readonly kind: Kind}} verdict
 */
export function rankOf({ kind }) {
  return order.indexOf(kind);
}

/**
 * True for a verdict whose time is one that the file existed by.
 * @param {{readonly kind: Kind}} verdict
 */
export function isTimed({ kind }) {
  return ['proven', 'partial', 'trial'].includes(kind);
}

/** @param {Card} card */
function showRow({ key, files, certificate, transactionHash, judgement }) {
  const { time } = judgement.values;
  const names = files.map((item) => shownName(pathOf(item)));
  const proof = certificate
    ? [element('bdi', {}, shownName(pathOf(certificate)))]
    : transactionHash === null
      ? []
      : [element('code', {}, `${transactionHash.slice(0, 12)}…`)];
  return element(
    'tr',
    {},
    element(
      'th',
      { scope: 'row' },
      element('a', { href: `#card-${key}` }, names.join(', ') || text('verify.tableNone')),
    ),
    element(
      'td',
      { class: `table-kind status-${judgement.kind}`, title: verdictTitle(judgement) },
      mark(judgement.kind),
      ' ',
      verdictKind(judgement),
    ),
    element(
      'td',
      { 'data-head': text('verify.tableTime') },
      ...(typeof time === 'string' && isTimed(judgement)
        ? [element('time', { datetime: time, title: time }, utcTime(time))]
        : []),
    ),
    element('td', { 'data-head': text('verify.tableProof') }, ...proof),
  );
}
