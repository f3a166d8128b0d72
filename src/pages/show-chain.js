import { element } from './element.js';
import { nextOf, previousOf } from './follow-chain.js';
import { text, utcTime } from './texts.js';
import { valueRow } from './value-row.js';

/** @import { Chain } from './chains.js' */
/** @import { Link } from './follow-chain.js' */

/**
 * The earlier revisions, latest first.
 *
 * @param {Chain} chain
 * @param {{key: string, level: 'h3' | 'h4', onMore: () => void}} options `key` is unique per chain.
 */
export function showChain({ first, links, isFollowing }, { key, level, onMore }) {
  const isOver = nextOf(first, links) === null;
  const last = links.at(-1)?.answer ?? null;
  const isBroken = last !== null && last.found !== 'yes';
  const isWhole = last?.found === 'yes' && last.data.verified && previousOf(last.data) === null;
  const more = { type: 'button', class: 'button', onclick: onMore };
  return element(
    'section',
    { class: 'chain', 'aria-labelledby': `chain-${key}` },
    element(level, { id: `chain-${key}` }, text('chain.heading')),
    element('p', {}, text('chain.text')),
    element('ol', {}, ...links.map(showLink)),
    isOver ? element('p', {}, text(isWhole ? 'chain.complete' : 'chain.lost')) : null,
    isFollowing ? element('p', {}, text('chain.reading')) : null,
    isFollowing || isOver
      ? null
      : element('button', more, text(isBroken ? 'verdict.retry' : 'chain.more')),
  );
}

/** @param {Link} link */
function showLink({ transactionHash, answer }) {
  const href = new URL(`../verify/${transactionHash}`, import.meta.url).href;
  return element(
    'li',
    {},
    element('p', {}, wordsFor(answer)),
    element('dl', {}, valueRow({ name: 'transaction', value: transactionHash })),
    element('a', { href }, text('chain.open')),
  );
}

/** The state of an earlier revision in words. @param {Link['answer']} answer */
export function wordsFor(answer) {
  if (answer.found === 'no') return text('chain.notFound');
  if (answer.found !== 'yes') return text('chain.unreachable');
  const { verified, ledgerCloseTime, reason } = answer.data;
  return verified
    ? text('chain.revision', { time: utcTime(ledgerCloseTime) })
    : text('chain.unverified', { reason: String(reason) });
}
