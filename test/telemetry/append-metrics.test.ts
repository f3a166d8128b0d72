import { Registry } from '@prometheus-io/client';
import { test } from 'tap';
import { createEventStore } from '../../src/event-store/create-event-store.ts';
import { VersionConflict } from '../../src/event-store/version-conflict.ts';
import { appendMetrics, measureAppends } from '../../src/telemetry/append-metrics.ts';
import { createTestStore } from '../support/event-store.ts';
import { readExposition, sampleValue } from '../support/exposition.ts';
import { markedEntry } from '../support/marked-event.ts';

const meta = { actor: 'operator' } as const;

test('appends are timed by outcome, and batches counted by size', async (t) => {
  const { pool, keyring } = await createTestStore(t);
  const registry = new Registry();
  const { ended, written } = appendMetrics(registry);
  const store = measureAppends(createEventStore({ pool, keyring, onWritten: written }), ended);
  await store.append([markedEntry('a', 0, '1', '2')], meta);
  // The first append is written alone, the waiting ones together.
  await Promise.all(
    ['b', 'c', 'd'].map((stream) => store.append([markedEntry(stream, 0, '3')], meta)),
  );
  await t.rejects(store.append([markedEntry('a', 0, '4')], meta), VersionConflict);
  const samples = readExposition(await registry.metrics());
  const count = (outcome: string) =>
    sampleValue(samples, 'proofmark_append_duration_seconds_count', { outcome });
  t.equal(count('appended'), 4);
  t.equal(count('conflict'), 1);
  const batches = sampleValue(samples, 'proofmark_append_batch_events_count') ?? 0;
  t.equal(sampleValue(samples, 'proofmark_append_batch_events_sum'), 6, 'events requested');
  t.ok(batches >= 3 && batches < 5, `in ${batches} batches`);
});
