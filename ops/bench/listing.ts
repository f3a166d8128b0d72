import { randomBytes } from 'node:crypto';
import { ulid } from 'ulid';
import { openLog } from '../../src/commands/open-log.ts';
import type { OrganisationId, WorkspaceId } from '../../src/domain/ulid.ts';
import { startEmbeddedPostgres } from '../../src/embedded/postgres/start-embedded-postgres.ts';
import { createEventStore } from '../../src/event-store/create-event-store.ts';
import { openDatabase } from '../../src/event-store/database.ts';
import { createKeyring } from '../../src/event-store/keyring.ts';
import { migrateToLatest } from '../../src/event-store/migrate.ts';
import { createBenchFolder } from './bench-folder.ts';
import { type CleanUp, withCleanUp } from './clean-up.ts';
import type { ListedOrganisation } from './listed-proofs.ts';
import { fillDirectly, projectFromLog } from './listing-fill.ts';
import { measureLists } from './listing-queries.ts';
import { describeMachine, loadAverage } from './machine.ts';

export interface ListingOptions {
  /** Of the organisation whose lists are measured. */
  readonly documents: number;
  /** Different searches of each kind that is quick; a tenth of it of each that reads everything. */
  readonly searches: number;
  /** Proofs of another organisation, folded from the log to measure the projector. */
  readonly logged: number;
}

/**
 * Lists of an organisation with very many documents, beside another one's, on the embedded
 * PostgreSQL; and how fast the projector folds them from the log. Every search is one that was not
 * made before; totals are checked against plain counts.
 */
export function benchListing(options: ListingOptions): Promise<object> {
  return withCleanUp((cleanUp) => measure(options, cleanUp));
}

async function measure({ documents, searches, logged }: ListingOptions, cleanUp: CleanUp) {
  const startLoad = loadAverage();
  const { dataDir, remove } = await createBenchFolder();
  cleanUp.defer(remove);
  const postgres = await startEmbeddedPostgres({ dataDir });
  cleanUp.defer(() => postgres.stop());
  await migrateToLatest(postgres.url);
  const { pool, db, close } = openDatabase(postgres.url, { maxConnections: 8 });
  cleanUp.defer(close);
  const store = createEventStore({ pool, keyring: createKeyring(pool, randomBytes(32)) });
  await openLog({ store, newId: () => ulid() }, { actor: 'start' });

  const projector = await projectFromLog({ db, store, organisation: newOrganisation(), logged });
  const organisation = newOrganisation();
  const filled = await fillDirectly({ db, organisation, documents, seed: 2 });
  await pool.query('VACUUM ANALYZE');
  const single = openDatabase(postgres.url, { maxConnections: 1 });
  cleanUp.defer(single.close);
  const lists = await measureLists({ db: single.db, pool, organisation, documents, searches });
  const { rows } = await pool.query<{ version: string }>('SELECT version()');
  return {
    benchmark: 'listing',
    machine: await describeMachine(rows[0]?.version ?? 'unknown'),
    loadAverage: { start: startLoad, end: loadAverage() },
    setting: { documents, searches, ofAnotherOrganisation: logged },
    projector,
    filled,
    ...lists,
  };
}

function newOrganisation(): ListedOrganisation {
  const workspaceIds = Array.from({ length: 5 }, () => ulid() as WorkspaceId);
  return { organisationId: ulid() as OrganisationId, workspaceIds };
}
