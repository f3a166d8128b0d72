import { createEventStore } from '../../../src/event-store/create-event-store.ts';
import { openDatabase } from '../../../src/event-store/database.ts';
import { createKeyring } from '../../../src/event-store/keyring.ts';

/**
 * Opens the database of a log with an event store; `newStore` creates another one on the same
 * connections.
 */
export function openStore(
  url: string,
  { masterKey, maxConnections }: { readonly masterKey: Buffer; readonly maxConnections: number },
) {
  const database = openDatabase(url, { maxConnections });
  const { pool } = database;
  const keyring = createKeyring(pool, masterKey);
  const newStore = () => createEventStore({ pool, keyring });
  return { ...database, store: newStore(), newStore };
}
