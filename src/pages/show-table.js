import { element } from './element.js';
import { mark } from './mark.js';
import { verdictKind, verdictTitle } from './show-verdict.js';
import { shownName, text, utcTime } from './texts.js';

/** @import { Card } from './judge-items.js' */
/** @import { Kind } from './judge.js' */

/** Problems come first. @type {readonly Kind[]} */
const order = ['disproven', 'unknown', 'open', 'partial', 'trial', 'proven'];

/**
 * A table of all verdicts, problems first. Each row leads to its card.
 * @param {readonly Card[]} cards
 */
export function showTable(cards) {
  const sorted = cards.toSorted((a, b) => rank(a) - rank(b));
  const heads = [
    'verify.tableFile',
    'verify.tableVerdict',
    'verify.tableTime',
    'verify.tableProof',
  ];
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
        element('tr', {}, ...heads.map((name) => element('th', { scope: 'col' }, text(name)))),
      ),
      element('tbody', {}, ...sorted.map(showRow)),
    ),
  );
}

/** @param {Card} card */
function rank({ judgement }) {
  return order.indexOf(judgement.kind);
}

/** @param {Card} card */
function showRow({ key, files, certificate, transactionHash, judgement }) {
  const { time } = judgement.values;
  const names = files.map(({ file, folder }) =>
    shownName(folder ? `${folder}/${file.name}` : file.name),
  );
  const proof = certificate
    ? element('bdi', {}, shownName(certificate.file.name))
    : element('code', {}, transactionHash === null ? '' : `${transactionHash.slice(0, 12)}…`);
  const isTimed = ['proven', 'partial', 'trial'].includes(judgement.kind);
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
      {},
      typeof time === 'string' && isTimed
        ? element('time', { datetime: time, title: time }, utcTime(time))
        : '',
    ),
    element('td', {}, proof),
  );
}
