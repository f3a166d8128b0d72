import { parseOrigin } from '../../src/domain/log/origin.ts';
import {
  type Checkpoint,
  readCheckpoint,
} from '../../src/transparency-log/checkpoint/checkpoint.ts';
import type { LogStorage } from '../../src/transparency-log/published/contract.ts';
import { rootWithin } from '../../src/transparency-log/tree/consistency-proof.ts';
import { hashBytes } from '../../src/transparency-log/tree/merkle-hash.ts';
import type { Tile } from '../../src/transparency-log/tree/tile.ts';
import { tileNodes } from '../../src/transparency-log/tree/tile-nodes.ts';
import type { KnownKeys } from '../audit/known-keys.ts';
import type { OutsideCheckpoint } from '../audit/outside-checkpoint.ts';
import { errorMessage } from '../terminal/error-message.ts';
import type { AlertKind, Condition } from './condition.ts';
import type { KeptCheckpoints } from './kept-checkpoints.ts';

export interface FollowerOptions {
  readonly log: Pick<LogStorage, 'readCheckpoint' | 'readTile'>;
  readonly keys: Pick<KnownKeys, 'hasSigned'>;
  /** Origins of the pinned keys. */
  readonly origins: readonly string[];
  readonly kept: KeptCheckpoints;
  /** Checkpoints that validated ledgers hold, of any log; null: no ledger is asked. */
  readonly readAnchors: (() => Promise<readonly OutsideCheckpoint[]>) | null;
  /** Time that a failure may last before it is an alert. */
  readonly graceMs: number;
  /** Greatest age of the newest checkpoint; null: any. */
  readonly maxAgeMs: number | null;
  readonly nowMs?: () => number;
}

/** Result of comparing a tree with an earlier one: an error says why they could not be compared. */
type Compared = 'consistent' | 'different' | { readonly unread: string };

/**
 * Follows a published log: reads its newest checkpoint, proves that it continues the kept ones, and
 * that the checkpoints on the ledger belong to the same tree. Keeps each checkpoint that does.
 */
export class Follower {
  readonly #options: FollowerOptions;
  readonly #now: () => number;
  /** When a passing failure began, by kind. */
  readonly #since = new Map<AlertKind, number>();
  /** Checkpoints of the ledger that were found in the log. */
  readonly #matched = new Set<string>();
  /** Checkpoint of a new epoch, whose alert is not stored yet. */
  #entered: { readonly note: string; readonly checkpoint: Checkpoint } | null = null;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#now = options.nowMs ?? Date.now;
  }

  /** Number of the ledger's checkpoints that were found in the log. */
  get matchedAnchors(): number {
    return this.#matched.size;
  }

  /**
   * Looks once. Returns what is wrong, and what may pass: failures that last less than the grace
   * time. Store the alerts, then call `enterEpoch`. Rejects if the folder of kept checkpoints cannot
   * be written.
   */
  async look(): Promise<{ alerts: readonly Condition[]; waits: readonly Condition[] }> {
    const found = await this.#lookAtLog();
    const all = [...found, ...(await this.#lookAtLedger()), ...this.#stopped()];
    const now = this.#now();
    const kinds = new Set(all.map(({ kind }) => kind));
    for (const kind of [...this.#since.keys()]) if (!kinds.has(kind)) this.#since.delete(kind);
    for (const kind of kinds) if (!this.#since.has(kind)) this.#since.set(kind, now);
    const isDue = ({ kind }: Condition) =>
      !passing.has(kind) || now - (this.#since.get(kind) ?? now) >= this.#options.graceMs;
    return { alerts: all.filter(isDue), waits: all.filter((one) => !isDue(one)) };
  }

  /**
   * Goes on with the epoch that the last look found. Call it when the alerts are stored: after a kill
   * before, the next look alerts again.
   */
  async enterEpoch(): Promise<void> {
    if (this.#entered === null) return;
    const { note, checkpoint } = this.#entered;
    await this.#options.kept.keep(note, checkpoint, this.#now());
    this.#entered = null;
  }

  async #lookAtLog(): Promise<readonly Condition[]> {
    const { log, keys, kept } = this.#options;
    let note: string | null;
    try {
      note = await log.readCheckpoint();
    } catch (error) {
      return [condition('unreachable', `the log cannot be read: ${errorMessage(error)}`)];
    }
    if (note === null) {
      const what = 'the log serves no checkpoint';
      const { newest } = kept;
      return newest === null
        ? [condition('unreachable', what)]
        : [condition('truncated', `${what}, but had ${newest.size} events`, [newest.note])];
    }
    const checkpoint = readCheckpoint(note);
    // An error page of a proxy is no checkpoint, and nobody has signed it.
    if (checkpoint === null) return [condition('unreachable', 'the answer is not a checkpoint')];
    if (!keys.hasSigned(note)) {
      const what = `the checkpoint of ${checkpoint.size} events is not signed with a pinned key`;
      return [condition('foreign-signature', what, [note])];
    }
    return this.#compare(note, checkpoint);
  }

  async #compare(note: string, checkpoint: Checkpoint): Promise<readonly Condition[]> {
    const { kept, origins } = this.#options;
    const { newest } = kept;
    const { origin, size } = checkpoint;
    const known = newest === null ? origins : [newest.origin];
    if (!known.includes(origin)) {
      const [now, before] = [parseOrigin(origin), known.map(parseOrigin)];
      const epochs = before.flatMap((one) => (one?.name === now?.name ? (one?.epoch ?? 0) : []));
      const isSame = now !== null && epochs.length > 0;
      const evidence = newest === null ? [note] : [newest.note, note];
      if (!isSame) {
        const what = `the address serves ${origin}, another log`;
        return [{ ...condition('other-log', what, evidence), about: origin }];
      }
      if (now.epoch < Math.max(...epochs)) {
        return [condition('fork', `the log went back to its earlier epoch ${origin}`, evidence)];
      }
      this.#entered = { note, checkpoint };
      const what = `the log continues as ${origin}: its operator restored a database and lost events. Ask which`;
      // A later epoch is an alert of its own: this one never ends.
      return [{ ...condition('new-epoch', what, evidence), about: origin }];
    }
    if (newest === null) {
      await kept.keep(note, checkpoint, this.#now());
      return [];
    }
    const isShorter = size < newest.size;
    // A proxy may serve an old checkpoint, but never one of another history.
    const compared = isShorter
      ? await this.#isContinued(checkpoint, newest)
      : await this.#isContinued(newest, checkpoint);
    if (compared === 'different') {
      const what = `the checkpoint of ${size} events contradicts the kept one of ${newest.size} events`;
      return [condition('fork', what, [newest.note, note])];
    }
    if (isShorter) {
      const what = `the log has only ${size} events, but had ${newest.size}`;
      return [condition('truncated', what, [newest.note, note])];
    }
    if (compared !== 'consistent') {
      const what = `the checkpoint of ${size} events cannot be proved to continue that of ${newest.size}: ${compared.unread}`;
      return [condition('unproven', what, [newest.note, note])];
    }
    if (size > newest.size) await kept.keep(note, checkpoint, this.#now());
    return [];
  }

  async #lookAtLedger(): Promise<readonly Condition[]> {
    const { readAnchors, kept } = this.#options;
    const { newest } = kept;
    if (readAnchors === null || newest === null) return [];
    let anchors: readonly OutsideCheckpoint[];
    try {
      anchors = await readAnchors();
    } catch (error) {
      return [condition('ledger-unreachable', `no ledger server answers: ${errorMessage(error)}`)];
    }
    const found: Condition[] = [];
    for (const anchor of anchors.filter(({ origin }) => origin === newest.origin)) {
      const key = `${anchor.size} ${anchor.root.toString('hex')}`;
      if (this.#matched.has(key)) continue;
      const { name } = anchor;
      const evidence = [name, newest.note];
      if (anchor.size > newest.size) {
        const what = `${name} covers ${anchor.size} events, but the log shows only ${newest.size}`;
        found.push(condition('hidden', what, evidence));
        continue;
      }
      const compared = await this.#isContinued(anchor, newest);
      if (compared === 'consistent') this.#matched.add(key);
      else if (compared === 'different') {
        const what = `${name} covers ${anchor.size} events, but is not of the tree that the log shows`;
        found.push({ ...condition('fork', what, evidence), about: key });
      } else {
        const what = `${name} cannot be compared with the log: ${compared.unread}`;
        found.push(condition('unproven', what, evidence));
      }
    }
    return found;
  }

  #stopped(): readonly Condition[] {
    const { kept, maxAgeMs } = this.#options;
    if (kept.newest === null || maxAgeMs === null) return [];
    const ageMs = this.#now() - kept.newest.seenAtMs;
    if (ageMs <= maxAgeMs) return [];
    const since = new Date(kept.newest.seenAtMs).toISOString();
    const what = `no new checkpoint since ${since}: the newest one covers ${kept.newest.size} events`;
    return [condition('stopped', what, [kept.newest.note])];
  }

  async #isContinued(older: Checkpoint, newer: Checkpoint): Promise<Compared> {
    if (older.size === newer.size)
      return older.root.equals(newer.root) ? 'consistent' : 'different';
    try {
      const nodes = tileNodes(newer.size, (tile) => this.#readTile(newer.origin, tile));
      const root = older.size === 0 ? older.root : await rootWithin(older.size, newer, nodes);
      // Damaged tiles prove nothing against the log.
      if (root === null) return { unread: 'its tiles do not lead to its root' };
      return root.equals(older.root) ? 'consistent' : 'different';
    } catch (error) {
      return { unread: errorMessage(error) };
    }
  }

  async #readTile(origin: string, tile: Tile): Promise<Buffer> {
    const bytes = await this.#options.log.readTile(origin, tile);
    if (bytes?.length === tile.width * hashBytes) return bytes;
    throw new Error(`level ${tile.level} of its tree lacks tile ${tile.index}`);
  }
}

/** Failures that may pass. An operator may restart a service, and a proxy may serve an old answer. */
const passing: ReadonlySet<AlertKind> = new Set([
  ...(['truncated', 'hidden', 'unproven', 'unreachable', 'ledger-unreachable'] as const),
]);

function condition(kind: AlertKind, what: string, evidence: readonly string[] = []): Condition {
  return { kind, about: '', what, evidence };
}
