import { streamNamed } from './stream-named.ts';
/**
 * A process that appends `count` marked events to one stream as fast as it can, in competition with others.
 * Prints the positions of its marks and the number of its conflicts.
 */

import { createEventStore } from '../../src/event-store/create-event-store.ts';
import { openDatabase } from '../../src/event-store/database.ts';
import { createKeyring } from '../../src/event-store/keyring.ts';
import { VersionConflict } from '../../src/event-store/version-conflict.ts';
import { markedEntry } from './marked-event.ts';

const [url = '', stream = '', name = '', count = '0'] = process.argv.slice(2);
const { pool, close } = openDatabase(url, { maxConnections: 4 });
const store = createEventStore({ pool, keyring: createKeyring(pool, Buffer.alloc(32)) });
const appended: Record<string, number> = {};
let conflicts = 0;
let next = 0;

async function appendAll(): Promise<void> {
  while (next < Number(count)) {
    const mark = `${name}-${next}`;
    next += 1;
    for (;;) {
      const version = (await store.readStream(streamNamed(stream))).length;
      try {
        // Each append writes two streams in one transaction: the contended one and a new one.
        const entries = [markedEntry(stream, version, mark), markedEntry(`own-${mark}`, 0, mark)];
        appended[mark] = (await store.append(entries, {})).firstPosition;
        break;
      } catch (error) {
        if (!(error instanceof VersionConflict)) throw error;
        conflicts += 1;
      }
    }
  }
}

await Promise.all([appendAll(), appendAll(), appendAll()]);
await close();
console.log(JSON.stringify({ appended, conflicts }));
