import type { EventStore, StreamAppend } from '../../src/event-store/event-store.ts';

/** An event without confidential fields, identified by its mark. */
export function marked(mark: string) {
  return { type: 'AccountRetired', data: { ledgerId: 'test', account: mark } } as const;
}

/** Marked events for a stream at this version. */
export function markedEntry(
  stream: string,
  expectedVersion: number,
  ...marks: string[]
): StreamAppend {
  return { organisationId: null, stream, expectedVersion, events: marks.map(marked) };
}

/** All marks in the log, with their positions. */
export async function marksInLog(
  store: Pick<EventStore, 'readLog'>,
): Promise<{ mark: string; position: number; stream: string; version: number }[]> {
  const found = [];
  for (let after = 0; ; ) {
    const events = await store.readLog(after, 1_000);
    const last = events.at(-1);
    if (last === undefined) return found;
    for (const event of events) {
      if (event.type !== 'AccountRetired') continue;
      const { position, stream, version, data } = event;
      found.push({ mark: data.account, position, stream, version });
    }
    after = last.position;
  }
}
