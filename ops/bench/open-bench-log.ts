import { randomBytes } from 'node:crypto';
import { ulid } from 'ulid';
import { openLog } from '../../src/commands/open-log.ts';
import { createEventStore } from '../../src/event-store/create-event-store.ts';
import { openDatabase } from '../../src/event-store/database.ts';
import { createKeyring } from '../../src/event-store/keyring.ts';
import type { CleanUp } from './clean-up.ts';
import { openBenchPostgres } from './open-bench-postgres.ts';

/** An opened log in an embedded PostgreSQL of its own, and all that reads and writes it. */
export async function openBenchLog(
  cleanUp: CleanUp,
  { maxConnections = 4 }: { readonly maxConnections?: number } = {},
) {
  const { dataDir, postgres } = await openBenchPostgres(cleanUp);
  const { pool, db, close } = openDatabase(postgres.url, { maxConnections });
  cleanUp.defer(close);
  const masterKey = randomBytes(32);
  const store = createEventStore({ pool, keyring: createKeyring(pool, masterKey) });
  await openLog({ store, newId: () => ulid() }, { actor: 'start' });
  return { dataDir, postgres, pool, db, store, masterKey };
}
