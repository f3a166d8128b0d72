import { Counter, Gauge, Histogram, type Registry } from '@prometheus-io/client';

/** Buckets in seconds: signatures that were heard, and chains of headers after an outage. */
const buckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600];

type ServerCounts = ReturnType<WatchedAttesting['servers']>[number];

/** The attesting of one network, for measuring. */
interface WatchedAttesting {
  readonly network: string;
  pending(): number;
  /** ISO 8601. */
  oldestPendingSince(): string | null;
  /** For each ledger that this process attested: time of our first record in it, ISO 8601. */
  readonly attested: { subscribe(listener: (since: string) => void): unknown };
  /** Counts since the process started. */
  servers(): readonly {
    readonly server: string;
    readonly falseSignatures: number;
    readonly passedOver: number;
  }[];
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
    'Ledgers with a transaction of this service for which no signatures of validators are on record yet',
    (attesting) => attesting.pending(),
  );
  gauge(
    'proofmark_attesting_oldest_seconds',
    'Time since the first transaction of this service was recorded in the oldest ledger without recorded signatures of validators; 0 if there is none',
    (attesting) => ageOf(attesting.oldestPendingSince()),
  );
  const seconds = new Histogram({
    name: 'proofmark_attesting_duration_seconds',
    help: 'Time from recording the first transaction of this service in a ledger until this process recorded the signatures of its validators',
    labelNames: ['network'],
    buckets,
    registers: [registry],
  });
  for (const { network, attested } of attestings) {
    attested.subscribe((since) => seconds.observe({ network }, ageOf(since)));
  }
  const counter = (name: string, help: string, value: (of: ServerCounts) => number) =>
    new Counter({
      name,
      help,
      labelNames: ['network', 'server'],
      registers: [registry],
      collect() {
        this.reset();
        for (const { network, servers } of attestings)
          for (const counts of servers())
            this.inc({ network, server: counts.server }, value(counts));
      },
    });
  counter(
    'proofmark_attesting_false_signatures_total',
    'Messages about validators with an invalid signature, by the server that sent them',
    ({ falseSignatures }) => falseSignatures,
  );
  counter(
    'proofmark_attesting_passed_over_messages_total',
    'Messages about validators that were ignored because their server had sent too many invalid signatures',
    ({ passedOver }) => passedOver,
  );
}

function ageOf(at: string | null): number {
  return at === null ? 0 : Math.max(0, (Date.now() - Date.parse(at)) / 1_000);
}
