import type { Network } from '../../domain/network.ts';
import { DatabaseWentBack } from '../../event-store/database-went-back.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { Leaves } from '../../event-store/leaves.ts';
import type { LogReading } from '../../loading/load-log.ts';
import { currentOrigin } from '../current-origin.ts';
import type { LogStorage } from '../published/contract.ts';
import { liveAtMost, type SubmittedMark } from '../published/submitted-mark.ts';

interface SubmittedMarkWriterDeps {
  readonly store: Pick<EventStore, 'head'> & LogReading;
  readonly leaves: Pick<Leaves, 'read'>;
  readonly published: Pick<LogStorage, 'writeSubmitted' | 'removeSubmitted'>;
  readonly network: Network;
  /** Unique name of this process. */
  readonly writer: string;
}

/**
 * Durably records the log position under STORAGE_URL before submitting, so that a rollback of the
 * database is detectable.
 */
export class SubmittedMarkWriter {
  readonly #deps: SubmittedMarkWriterDeps;
  #origin: string | null = null;
  #last: SubmittedMark | null = null;

  constructor(deps: SubmittedMarkWriterDeps) {
    this.#deps = deps;
  }

  /**
   * Resolves when a mark on stable storage covers all current events. No ledger after `lastLedger`
   * can contain a transaction that is submitted under this mark. Allows one call at a time.
   *
   * Rejects with `StorageUnavailable`, `StoreUnavailable` or `DatabaseWentBack`: nothing may be
   * submitted then.
   */
  async cover(lastLedger: number): Promise<void> {
    const { store, leaves, published, network, writer } = this.#deps;
    // The origin changes only while no process runs.
    this.#origin ??= await currentOrigin(store);
    const last = this.#last;
    const position = await store.head();
    const [[leaf], [before]] = await Promise.all([
      leaves.read(position - 1, 1),
      last === null ? [] : leaves.read(last.position - 1, 1),
    ]);
    // The database may go back even while this process runs, to a standby that lagged.
    const isKnown = last === null || before?.toString('hex') === last.leaf;
    if (leaf === undefined || !isKnown) {
      throw lacks(isKnown ? position : last.position);
    }
    const mark = {
      origin: this.#origin,
      position,
      leaf: leaf.toString('hex'),
      network,
      lastLedger: isSameLedger(last, lastLedger)
        ? Math.max(last.lastLedger, lastLedger)
        : lastLedger,
    };
    await published.writeSubmitted(writer, mark);
    // A process that takes over compares the marks with the database. Either it finds this one, or
    // the database had gone back before, which this look shows.
    const [still] = await leaves.read(position - 1, 1);
    if (still?.equals(leaf) !== true) throw lacks(position);
    this.#last = mark;
    // The new mark covers the old one. A mark that remains after a failure is still correct.
    if (last !== null && last.position !== position) {
      await published.removeSubmitted(writer, last).catch(() => {});
    }
  }
}

function lacks(position: number): DatabaseWentBack {
  return new DatabaseWentBack(`it lacks event ${position}, which this process has seen`);
}

/** Checks that no reset lies between the indexes: they could not be compared then. */
function isSameLedger(last: SubmittedMark | null, lastLedger: number): last is SubmittedMark {
  return last !== null && Math.abs(last.lastLedger - lastLedger) < liveAtMost;
}
