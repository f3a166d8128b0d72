import type { Observable, Subscription } from 'rxjs';
import type { ServerStatus } from './server-status.ts';

/** Index of a validated ledger, with the Unix time in milliseconds at which a server reported it. */
export interface ReportedTip {
  readonly index: number;
  readonly atMs: number;
}

/** Number of ledgers that are kept: the last quarter of an hour of a public network. */
const keptTips = 256;

/** The newest ledgers that a server has reported on its present connection, by our own clock. */
export class ReportedTips {
  readonly #watching: Subscription;
  #connection = 0;
  #tips: ReportedTip[] = [];

  constructor(status: Observable<ServerStatus>, now: () => number) {
    this.#watching = status.subscribe((next) => {
      if (next.state !== 'ready') return;
      const { connection, tip } = next;
      if (connection !== this.#connection) this.#tips = [];
      this.#connection = connection;
      if (this.#tips.at(-1)?.index === tip.index) return;
      this.#tips = [...this.#tips.slice(1 - keptTips), { index: tip.index, atMs: now() }];
    });
  }

  /** The newest reported one up to this index; null if there is none. */
  upTo(index: number): ReportedTip | null {
    return this.#tips.findLast((tip) => tip.index <= index) ?? null;
  }

  end(): void {
    this.#watching.unsubscribe();
  }
}
