import { Gauge, type Registry } from '@prometheus-io/client';
import type pg from 'pg';
import { type DatabaseFigures, findFigures, type ReaderPosition } from './database-figures.ts';
import { keepFigures } from './figures.ts';

const keptMs = 5_000;
const waitMs = 2_000;

/**
 * Registers figures from the database: the lag of projections and of enqueuing webhooks, the due
 * deliveries, and the due successors of certificates. The database is queried every few seconds at
 * most, within a time limit. While it does not answer, `proofmark_database_up` is 0 and these figures
 * are absent rather than old.
 */
export function databaseMetrics(
  registry: Registry,
  pool: pg.Pool,
  /** Names of checkpoints. */
  readers: readonly string[],
  /** Storage allowance of the configuration, in bytes; null is unlimited. */
  storageAllowance: number | null = null,
  /** True if certificates wait for time-stamp tokens. */
  hasTokens = false,
): void {
  const find = () => findFigures(pool, { readers, storageAllowance, hasTokens, waitMs });
  const figures = keepFigures(find, { keptMs, waitMs });
  poolMetrics(registry, pool);
  const gauge = gaugeOf(registry);

  gauge('proofmark_database_up', '1 if the database answered the last check, else 0', {
    async collect(up) {
      up.set((await figures()) === null ? 0 : 1);
    },
  });
  gauge('proofmark_log_head_position', 'Position of the newest event', {
    async collect(head) {
      const found = await figures();
      if (found === null) head.remove();
      else head.set(Math.max(0, ...found.positions.map((reader) => reader.head)));
    },
  });
  const lag = (name: string, help: string, pick: (reader: ReaderPosition) => number) =>
    gauge(name, help, {
      labelNames: ['projection'],
      async collect(gauged) {
        gauged.reset();
        for (const reader of (await figures())?.positions ?? []) {
          gauged.set({ projection: reader.name }, pick(reader));
        }
      },
    });
  lag('proofmark_projection_lag_events', 'Events that a live read model has not folded yet', (r) =>
    Math.max(0, r.head - r.position),
  );
  lag(
    'proofmark_projection_lag_seconds',
    'Age of the oldest event that a live read model has not folded yet; 0 at the head',
    (r) => r.lagSeconds,
  );
  const figure = (name: string, help: string, pick: (found: DatabaseFigures) => number | null) =>
    gauge(name, help, {
      async collect(gauged) {
        const found = await figures();
        const value = found && pick(found);
        if (value === null) gauged.remove();
        else gauged.set(value);
      },
    });
  figure(
    'proofmark_webhook_due_deliveries',
    'Webhook deliveries that are due; counted up to 10000',
    ({ webhooks }) => webhooks.due,
  );
  figure(
    'proofmark_webhook_oldest_due_seconds',
    'Time since the oldest due webhook delivery became due; 0 if none is due',
    ({ webhooks }) => webhooks.oldestSeconds,
  );
  figure(
    'proofmark_certificate_due_successors',
    'Certificates that lack recorded signatures of validators, and get a successor; counted up to 10000',
    ({ dueSuccessors }) => dueSuccessors,
  );
  figure(
    'proofmark_stored_bytes',
    'Bytes of the stored files of all organisations, without certificates',
    ({ storage }) => storage.bytes,
  );
  figure(
    'proofmark_storage_nearly_full_organisations',
    'Organisations whose stored files have at least 90 percent of their storage allowance',
    ({ storage }) => storage.nearlyFull,
  );
  figure(
    'proofmark_checkpoint_size',
    'Number of events that the newest published checkpoint of the log covers',
    ({ published }) => published?.size ?? null,
  );
  figure(
    'proofmark_checkpoint_lag_seconds',
    'Age of the oldest event that no published checkpoint covers; 0 if all are covered',
    ({ published }) => published?.lagSeconds ?? null,
  );
  figure(
    'proofmark_checkpoint_anchored_size',
    'Number of events that the newest checkpoint on the ledger covers',
    ({ anchored }) => anchored?.size ?? null,
  );
  figure(
    'proofmark_checkpoint_anchored_lag_seconds',
    'Age of the oldest event that no checkpoint on the ledger covers; 0 if all are covered',
    ({ anchored }) => anchored?.lagSeconds ?? null,
  );
}

function gaugeOf(registry: Registry) {
  return <Label extends string = never>(
    name: string,
    help: string,
    options: {
      readonly labelNames?: readonly Label[];
      readonly collect: (gauge: Gauge<Label>) => Promise<void>;
    },
  ): void => {
    const { labelNames = [], collect } = options;
    new Gauge<Label>({
      name,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      async collect() {
        await collect(this);
      },
    });
  };
}

function poolMetrics(registry: Registry, pool: pg.Pool): void {
  new Gauge({
    name: 'proofmark_database_connections',
    help: 'Database connections of the pool, and callers that wait for a connection',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'waited for' }, pool.waitingCount);
    },
  });
}
