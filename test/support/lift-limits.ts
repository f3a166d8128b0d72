import { changeRequestLimits } from '../../src/commands/change-request-limits.ts';
import { readOrCreateMasterKey } from '../../src/embedded/master-key.ts';
import { findEmbeddedPostgres } from '../../src/embedded/postgres/find-embedded-postgres.ts';
import { createEventStore } from '../../src/event-store/create-event-store.ts';
import { openDatabase } from '../../src/event-store/database.ts';
import { createKeyring } from '../../src/event-store/keyring.ts';

/**
 * Lifts the request limits of the first organisation of the program on this DATA_DIR. The change takes
 * effect a moment later.
 */
export async function liftLimits(dataDir: string): Promise<void> {
  const postgres = await findEmbeddedPostgres({ dataDir });
  if (postgres === null) throw new Error(`no PostgreSQL runs in ${dataDir}`);
  const { pool, close } = openDatabase(postgres.url, { maxConnections: 2 });
  try {
    const masterKey = await readOrCreateMasterKey(dataDir, { mayCreate: false });
    const store = createEventStore({ pool, keyring: createKeyring(pool, masterKey) });
    const [opened] = await store.readLog(0, 1, ['OrganisationOpened']);
    if (opened?.type !== 'OrganisationOpened' || opened.erased) throw new Error('there is none');
    const { organisationId } = opened.data;
    const plenty = { perMinute: 1_000_000, perDay: 1_000_000 };
    await changeRequestLimits(store, organisationId, plenty, { actor: 'operator' });
  } finally {
    await close();
  }
}
