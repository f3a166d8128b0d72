import { Gauge, type Registry } from '@prometheus-io/client';

/** The attesting of one network, for measuring. */
interface WatchedAttesting {
  readonly network: string;
  pending(): number;
  /** ISO 8601. */
  oldestPendingSince(): string | null;
}

/**
 * Registers the ledgers that are not attested yet. Every process with the reactor role reports all
 * of them, whichever process attests.
 */
export function attestingMetrics(
  registry: Registry,
  attestings: readonly WatchedAttesting[],
): void {
  const gauge = (name: string, help: string, value: (of: WatchedAttesting) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['network'],
      registers: [registry],
      collect() {
        this.reset();
        for (const each of attestings) this.set({ network: each.network }, value(each));
      },
    });
  gauge(
    'proofmark_attesting_pending_ledgers',
    'Ledgers with a transaction of ours for which no signatures of validators are on record yet',
    (attesting) => attesting.pending(),
  );
  gauge(
    'proofmark_attesting_oldest_seconds',
    'Time since the first transaction of ours was recorded in the oldest ledger that has no signatures of validators on record; 0 if there is none',
    (attesting) => ageOf(attesting.oldestPendingSince()),
  );
}

function ageOf(at: string | null): number {
  return at === null ? 0 : Math.max(0, (Date.now() - Date.parse(at)) / 1_000);
}
