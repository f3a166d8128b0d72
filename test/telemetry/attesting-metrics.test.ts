import { Registry } from '@prometheus-io/client';
import { Subject } from 'rxjs';
import { test } from 'tap';
import { attestingMetrics } from '../../src/telemetry/attesting-metrics.ts';

test('the time until a ledger is attested, and false signatures, are measured', async (t) => {
  const registry = new Registry();
  const attested = new Subject<string>();
  const counts = { server: 'ws://liar', falseSignatures: 3, passedOver: 2 };
  attestingMetrics(registry, [
    {
      network: 'testnet',
      pending: () => 1,
      oldestPendingSince: () => null,
      attested,
      servers: () => [counts],
    },
  ]);
  attested.next(new Date(Date.now() - 20_000).toISOString());
  for (const text of [await registry.metrics(), await registry.metrics()]) {
    t.match(text, /proofmark_attesting_duration_seconds_bucket\{.*le="10".*\} 0/);
    t.match(text, /proofmark_attesting_duration_seconds_bucket\{.*le="30".*\} 1/);
    t.match(
      text,
      'proofmark_attesting_false_signatures_total{network="testnet",server="ws://liar"} 3',
    );
    t.match(
      text,
      'proofmark_attesting_passed_over_messages_total{network="testnet",server="ws://liar"} 2',
    );
  }
});
