import { isTransactionHash } from '../domain/proof/memo.ts';

/** @import { Answer, Verification } from './ask-ledger.js' */

/** @typedef {{transactionHash: string, answer: Answer}} Link */

/** How many revisions are looked up at a time; the reader may ask for more. */
const atATime = 10;

/**
 * The transaction of the revision before, as the memo names it; null if it names none.
 * @param {Verification} verification
 */
export function previousOf({ memo }) {
  const previous = memo?.previous;
  return isTransactionHash(previous) ? previous : null;
}

/**
 * Looks up the revisions before, the latest first: `atATime` more than `known`, which is left as it is.
 * It ends where one does not verify. A ledger cannot hold a circle, but a server may tell of one: it ends.
 *
 * @param {string} first
 * @param {readonly Link[]} known
 * @param {{ask: (transactionHash: string, signal: AbortSignal) => Promise<Answer>, signal: AbortSignal,
 *   onLink: (links: readonly Link[]) => void}} options
 */
export async function followChain(first, known, { ask, signal, onLink }) {
  let links = known.filter(({ answer }) => answer.found === 'yes');
  const most = links.length + atATime;
  for (let next = nextOf(first, links); next !== null && links.length < most; ) {
    const answer = await ask(next, signal);
    links = [...links, { transactionHash: next, answer }];
    onLink(links);
    if (answer.found !== 'yes') break;
    next = nextOf(first, links);
  }
  return links;
}

/**
 * What would be looked up next; null at the end of the chain.
 * @param {string} first
 * @param {readonly Link[]} links
 */
export function nextOf(first, links) {
  const last = links.at(-1);
  if (last === undefined) return first;
  if (last.answer.found !== 'yes') return last.transactionHash;
  if (!last.answer.data.verified) return null;
  const next = previousOf(last.answer.data);
  return links.some(({ transactionHash }) => transactionHash === next) ? null : next;
}
