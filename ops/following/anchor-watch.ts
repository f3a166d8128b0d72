import { parseOrigin } from '../../src/domain/log/origin.ts';
import type { OutsideCheckpoint } from '../audit/outside/outside-checkpoint.ts';
import { errorMessage } from '../terminal/error-message.ts';
import type { ReadAnchors } from './anchor-reader.ts';
import { type Condition, condition } from './condition.ts';
import type { FollowState, KeptAnchor } from './follow-state.ts';
import { isContinued, type PublishedLog, rememberTiles } from './is-continued.ts';
import type { KeptCheckpoint } from './kept-checkpoints.ts';
import type { LookLimit } from './look-limit.ts';

interface AnchorWatchOptions {
  readonly state: FollowState;
  /** Reads checkpoints of any log in validated ledgers after the cursors. */
  readonly readAnchors: (cursors: ReadAnchors['cursors'], limit: LookLimit) => Promise<ReadAnchors>;
}

/**
 * Finds the checkpoints of a log on the ledger in the log. A checkpoint that was not found is
 * remembered, and compared at each look.
 */
export class AnchorWatch {
  readonly #options: AnchorWatchOptions;
  #matched = 0;

  constructor(options: AnchorWatchOptions) {
    this.#options = options;
  }

  /** Number of checkpoints that this process found in the log. */
  get matched(): number {
    return this.#matched;
  }

  async look(
    log: Pick<PublishedLog, 'readTile'>,
    newest: KeptCheckpoint,
    limit: LookLimit,
  ): Promise<readonly Condition[]> {
    const { state } = this.#options;
    const found: Condition[] = [];
    try {
      const unreached = await this.#read(newest, limit);
      if (unreached.length > 0) {
        const what = `the checkpoints on the ledger cannot be read from ${unreached.join(', ')}`;
        found.push(condition('ledger-unreachable', what));
      }
    } catch (error) {
      const what = `the checkpoints on the ledger cannot be read: ${errorMessage(error)}`;
      found.push(condition('ledger-unreachable', what));
    }
    const { pending } = state.content;
    const remembered = rememberTiles(log);
    const matched = new Set(state.content.matched);
    // Checkpoints left over come first at the next look, so that each look makes progress.
    const left: KeptAnchor[] = [];
    const wrong: KeptAnchor[] = [];
    for (const anchor of pending) {
      if (limit.isOver) {
        left.push(anchor);
        continue;
      }
      const result = await compare(remembered, anchor, newest);
      if (result === null) {
        matched.add(keyOf(anchor));
        this.#matched += 1;
      } else {
        found.push(result);
        wrong.push(anchor);
      }
    }
    if (left.length > 0) {
      const what = `${left.length} checkpoints of the ledger were not compared within the limits of one look (--look-seconds, --look-megabytes): the next look continues`;
      found.push(condition('unproven', what));
    }
    state.change({ pending: [...left, ...wrong], matched: [...matched] });
    return found;
  }

  /** Adds the checkpoints that are new. Returns the servers that could not be used. */
  async #read(newest: KeptCheckpoint, limit: LookLimit): Promise<readonly string[]> {
    const { readAnchors, state } = this.#options;
    const { anchors, cursors, unreached } = await readAnchors(state.content.cursors, limit);
    const read = new Map(anchors.map((one) => [keyOf(keptAnchor(one)), keptAnchor(one)]));
    // Only checkpoints that were read now may be read again.
    const matched = state.content.matched.filter((key) => read.has(key));
    const pending = new Map(state.content.pending.map((one) => [keyOf(one), one]));
    for (const key of matched) read.delete(key);
    for (const [key, one] of read) if (!pending.has(key)) pending.set(key, one);
    const own = [...pending.values()].filter(({ origin }) => isOf(origin, newest.origin));
    state.change({ cursors, matched, pending: own });
    return unreached;
  }
}

/** The condition of a checkpoint that is not found in the log; null if it is. */
async function compare(
  log: Pick<PublishedLog, 'readTile'>,
  { name, origin, size, rootHash }: KeptAnchor,
  newest: KeptCheckpoint,
): Promise<Condition | null> {
  const evidence = [name, newest.note];
  if (origin !== newest.origin) {
    const what = `${name} is of ${origin}, a later epoch that the log does not show here`;
    return { ...condition('hidden', what, evidence), about: origin };
  }
  if (size > newest.size) {
    const what = `${name} covers ${size} events, but the log shows only ${newest.size}`;
    return condition('hidden', what, evidence);
  }
  const compared = await isContinued(log, { size, root: Buffer.from(rootHash, 'hex') }, newest);
  if (compared === 'consistent') return null;
  if (compared === 'different') {
    const what = `${name} covers ${size} events, but is not of the tree that the log shows`;
    return { ...condition('fork', what, evidence), about: `${size} ${rootHash}` };
  }
  const what = `${name} cannot be compared with the log: ${compared.unread}`;
  return condition('unproven', what, evidence);
}

/** True for the log of the newest checkpoint in its epoch or a later one. */
function isOf(origin: string, newest: string): boolean {
  if (origin === newest) return true;
  const [one, now] = [parseOrigin(origin), parseOrigin(newest)];
  return one !== null && now !== null && one.name === now.name && one.epoch > now.epoch;
}

function keptAnchor({ origin, size, root, name }: OutsideCheckpoint): KeptAnchor {
  return { origin, size, rootHash: root.toString('hex'), name };
}

function keyOf({ origin, size, rootHash }: KeptAnchor): string {
  return `${origin} ${size} ${rootHash}`;
}
