import type pg from 'pg';
import { followMetrics } from '../../ops/following/follow-metrics.ts';
import { anchoringMetrics } from '../../src/telemetry/anchoring-metrics.ts';
import { attestingMetrics } from '../../src/telemetry/attesting-metrics.ts';
import { databaseMetrics } from '../../src/telemetry/database-metrics.ts';
import { diskMetrics } from '../../src/telemetry/disk-metrics.ts';
import { ledgerMetrics } from '../../src/telemetry/ledger-metrics.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { signInMetrics } from '../../src/telemetry/sign-in-metrics.ts';
import { signingMetrics } from '../../src/telemetry/signing-metrics.ts';
import { timestampingMetrics } from '../../src/telemetry/timestamping-metrics.ts';
import { uploadMetrics } from '../../src/telemetry/upload-metrics.ts';
import { witnessMetrics } from '../../src/telemetry/witness-metrics.ts';
import { WitnessMetrics } from '../../src/witness/witness-metrics.ts';
import { reachable } from './witness-servers.ts';

/** Metrics of an idle process with all roles, as Prometheus scrapes them. */
export async function scrapeAll(): Promise<string> {
  const { registry } = createMetrics();
  const counts = { idleCount: 0, totalCount: 0, waitingCount: 0 };
  const connect = () => Promise.reject(new Error('away'));
  const away = { ...counts, connect } as unknown as pg.Pool;
  databaseMetrics(registry, away, []);
  ledgerMetrics(registry, []);
  anchoringMetrics(registry, []);
  attestingMetrics(registry, []);
  diskMetrics(registry, {});
  signingMetrics(registry);
  signInMetrics(registry);
  uploadMetrics(registry, async () => []);
  timestampingMetrics(registry, { pendingSince: () => null, counts: () => ({ recorded: 0 }) });
  const offered = { witness: 'north', outcome: 'cosigned', count: 0 };
  witnessMetrics(registry, { readCoverage: async () => null, counts: () => [offered] });
  const content = { failingSince: {}, cursors: {}, pending: [], matched: [] };
  const followed = { kept: { newest: null }, anchors: null, state: { content } };
  const alerts = { unsent: 0, count: () => 0 };
  const following = followMetrics({
    ...followed,
    alerts,
    lookedAtMs: () => null,
    everySeconds: 60,
  });
  const { key } = reachable(0, '');
  const checkpoints = { read: async () => null };
  const witness = new WitnessMetrics({ key, logs: ['log.example/a'], checkpoints });
  const all = [registry, following, witness.registry].map((each) => each.metrics());
  return (await Promise.all(all)).join('');
}
