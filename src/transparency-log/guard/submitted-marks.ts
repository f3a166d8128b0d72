import type { Network } from '../../domain/network.ts';
import { DatabaseWentBack } from '../../event-store/database-went-back.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { Leaves } from '../../event-store/leaves.ts';
import { currentOrigin } from '../current-origin.ts';
import type { LogReading } from '../load-log.ts';
import type { LogStorage } from '../publish/contract.ts';
import { liveAtMost, type SubmittedMark } from '../publish/submitted-mark.ts';

export interface SubmittedMarksDeps {
  readonly store: Pick<EventStore, 'head'> & LogReading;
  readonly leaves: Pick<Leaves, 'read'>;
  readonly published: Pick<LogStorage, 'writeSubmitted' | 'removeSubmitted'>;
  readonly network: Network;
  /** Of this process alone. */
  readonly writer: string;
}

/**
 * Marks under STORAGE_URL how far the log has come, before what it has signed is submitted: what is on
 * the ledger does not go back with the database, and by the mark a database that did is known.
 */
export class SubmittedMarks {
  readonly #deps: SubmittedMarksDeps;
  #origin: string | null = null;
  #last: SubmittedMark | null = null;

  constructor(deps: SubmittedMarksDeps) {
    this.#deps = deps;
  }

  /**
   * Resolves when everything that is on record by now is covered by a mark on stable storage. Of what
   * is submitted then no ledger after `lastLedger` can have anything. One call at a time. Rejects with
   * `StorageUnavailable` or `StoreUnavailable`, and with `DatabaseWentBack`: nothing may be submitted then.
   */
  async cover(lastLedger: number): Promise<void> {
    const { store, leaves, published, network, writer } = this.#deps;
    // It changes only while no process runs.
    this.#origin ??= await currentOrigin(store);
    const last = this.#last;
    const position = await store.head();
    const [[leaf], [before]] = await Promise.all([
      leaves.read(position - 1, 1),
      last === null ? [] : leaves.read(last.position - 1, 1),
    ]);
    // Under a running process too the database may go back, to a standby that lagged.
    const isKnown = last === null || before?.toString('hex') === last.leaf;
    if (leaf === undefined || !isKnown) {
      const lost = isKnown ? position : last.position;
      throw new DatabaseWentBack(`it held event ${lost} before something was submitted`);
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
    this.#last = mark;
    // The newer one says all that it said. What is left behind by a failure says nothing wrong.
    if (last !== null && last.position !== position) {
      await published.removeSubmitted(writer, last).catch(() => {});
    }
  }
}

/** And not one that began anew, of which no index says anything about the one before. */
function isSameLedger(last: SubmittedMark | null, lastLedger: number): last is SubmittedMark {
  return last !== null && Math.abs(last.lastLedger - lastLedger) < liveAtMost;
}
