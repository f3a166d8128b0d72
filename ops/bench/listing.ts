import { openDatabase } from '../../src/event-store/database.ts';
import { type CleanUp, withCleanUp } from './clean-up.ts';
import { fillDirectly, projectFromLog } from './listing-fill.ts';
import { measureLists } from './listing-queries.ts';
import { describeMachine, loadAverage } from './machine.ts';
import { newOrganisation } from './new-organisation.ts';
import { openBenchLog } from './open-bench-log.ts';

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
  const { postgres, pool, db, store } = await openBenchLog(cleanUp, { maxConnections: 8 });

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
