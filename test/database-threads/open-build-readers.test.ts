import { type Test, test } from 'tap';
import { documents } from '../../projections/documents/project.ts';
import { openBuildReaders } from '../../src/database-threads/open-build-readers.ts';
import type { DomainEvent } from '../../src/domain/events.ts';
import { createTestStore } from '../support/event-store.ts';

/** A log of so many events of a wanted type, each with data of this size. */
async function logOf(t: Test, count: number, bytes: number) {
  const { store, url, masterKey } = await createTestStore(t);
  // Only the size of the data matters here.
  const event = { type: 'ProofWithdrawn', data: { reason: 'x'.repeat(bytes) } } as unknown;
  for (let from = 0; from < count; from += 500) {
    const events = Array.from({ length: 500 }, () => event as DomainEvent);
    await store.append(
      [{ organisationId: null, stream: 's-1', expectedVersion: from, events }],
      {},
    );
  }
  const readers = openBuildReaders({ url, masterKeys: { present: masterKey } });
  t.teardown(() => readers.close());
  return async (after: number, upTo: number) => {
    const { events, position, isCut } = await readers.readStretch(documents, after, upTo);
    return { events: events.length, position, isCut };
  };
}

test('a stretch of wanted events alone is read whole', async (t) => {
  const read = await logOf(t, 2_500, 10);
  t.strictSame(await read(0, 2_000), { events: 2_000, position: 2_000, isCut: false });
  t.strictSame(await read(100, 2_350), { events: 2_250, position: 2_350, isCut: false });
  t.strictSame(await read(0, 16_000), { events: 2_500, position: 2_500, isCut: false }, 'the head');
});

test('a stretch is cut when its events are large', async (t) => {
  const read = await logOf(t, 3_000, 5_000);
  t.strictSame(await read(0, 3_000), { events: 2_000, position: 2_000, isCut: true });
  t.strictSame(await read(2_000, 3_000), { events: 1_000, position: 3_000, isCut: false });
});

test('a thread that dies is not reported as an unreachable database', async (t) => {
  const masterKeys = { present: Buffer.alloc(32) };
  const readers = openBuildReaders({ url: 'postgres://[', masterKeys });
  t.teardown(() => readers.close());
  await t.rejects(readers.readStretch(documents, 0, 10), {
    name: 'ReadingThreadDied',
    message:
      /^a thread that reads the log for a read model died twice, .*: start the rebuild again/,
  });
});
