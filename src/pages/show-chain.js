import { element } from './element.js';
import { nextOf, previousOf } from './follow-chain.js';
import { text, utcTime } from './texts.js';
import { valueRow } from './value-row.js';

/** @import { Link } from './follow-chain.js' */

/**
 * The revisions before, the latest first.
 *
 * @param {{first: string, links: readonly Link[], isFollowing: boolean}} chain
 * @param {{onMore: () => void}} options
 */
export function showChain({ first, links, isFollowing }, { onMore }) {
  const isOver = nextOf(first, links) === null;
  const last = links.at(-1)?.answer ?? null;
  const isBroken = last !== null && last.found !== 'yes';
  const isWhole = last?.found === 'yes' && last.data.verified && previousOf(last.data) === null;
  const more = { type: 'button', class: 'button', onclick: onMore };
  return element(
    'section',
    { class: 'chain', 'aria-labelledby': 'chain' },
    element('h2', { id: 'chain' }, text('chain.heading')),
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

/** @param {Link['answer']} answer */
function wordsFor(answer) {
  if (answer.found === 'no') return text('chain.notFound');
  if (answer.found !== 'yes') return text('chain.unreachable');
  const { verified, ledgerCloseTime, reason } = answer.data;
  return verified
    ? text('chain.revision', { time: utcTime(ledgerCloseTime) })
    : text('chain.unverified', { reason: String(reason) });
}
