import { isTransactionHash } from '../domain/proof/memo.ts';

/** @import { Answer, Verification } from './verification.ts' */

/** @typedef {{transactionHash: string, answer: Answer}} Link */

/** Number of revisions to look up at a time. The user may request more. */
const atATime = 10;

/**
 * The transaction of the previous revision, as named in the memo; null if the memo names none.
 * @param {Verification} verification
 */
export function previousOf({ memo }) {
  const previous = memo?.previous;
  return isTransactionHash(previous) ? previous : null;
}

/**
 * Looks up earlier revisions, latest first: at most `atATime` more than `known`. Does not change
 * `known`. Ends at a revision that does not verify, or at a cycle. No ledger can hold a cycle, but
 * a server may report one.
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
 * The next transaction to look up; null at the end of the chain.
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
