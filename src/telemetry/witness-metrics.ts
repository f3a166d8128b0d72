import { Counter, Gauge, type Registry } from '@prometheus-io/client';
import { keepFigures } from './figures.ts';

/** The witnesses of a log, for measuring. */
interface WatchedWitnesses {
  /** Ages of the oldest events that are not cosigned; null if nothing was published. */
  readonly readCoverage: () => Promise<{
    /** In seconds, by witness. */
    readonly lags: ReadonlyMap<string, number>;
    /** In seconds; null if no quorum is demanded. */
    readonly quorumLag: number | null;
  } | null>;
  /** Offers of this process. */
  readonly counts: () => readonly {
    readonly witness: string;
    readonly outcome: string;
    readonly count: number;
  }[];
}

const keptMs = 5_000;
const waitMs = 2_000;

/** Registers the cosigning of checkpoints. The policy of the service limits the names of witnesses. */
export function witnessMetrics(
  registry: Registry,
  { readCoverage, counts }: WatchedWitnesses,
): void {
  const coverage = keepFigures(readCoverage, { keptMs, waitMs });
  new Gauge({
    name: 'proofmark_witness_lag_seconds',
    help: 'Age of the oldest event that no checkpoint cosigned by the witness covers; 0 if all are covered',
    labelNames: ['witness'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const [witness, seconds] of (await coverage())?.lags ?? []) {
        this.set({ witness }, seconds);
      }
    },
  });
  new Gauge({
    name: 'proofmark_checkpoint_quorum_lag_seconds',
    help: 'Age of the oldest event that no checkpoint with a quorum of witnesses covers; 0 if all are covered',
    registers: [registry],
    async collect() {
      const seconds = (await coverage())?.quorumLag ?? null;
      if (seconds === null) this.remove();
      else this.set(seconds);
    },
  });
  new Counter({
    name: 'proofmark_witness_offers_total',
    help: 'Checkpoints that this process offered to the witness, by outcome: cosigned, unverified (recorded, but of a type that this release cannot verify), conflict (it has cosigned another history or a longer log), refused, or failed (no usable answer)',
    labelNames: ['witness', 'outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { witness, outcome, count } of counts()) this.inc({ witness, outcome }, count);
    },
  });
}
