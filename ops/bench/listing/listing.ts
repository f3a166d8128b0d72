import { documents as projection } from '../../../projections/documents/project.ts';
import { openDatabase } from '../../../src/event-store/database.ts';
import type { EventStore } from '../../../src/event-store/event-store.ts';
import type { ReadModels } from '../../../src/subscriptions/projection.ts';
import { prepareProjection, projectNext } from '../../../src/subscriptions/projector.ts';
import { openBenchLog } from '../harness/bench-log.ts';
import { benchmark, count } from '../harness/benchmark.ts';
import { round } from '../harness/figures.ts';
import { progress } from '../harness/progress.ts';
import { fillDocuments } from '../samples/fill-documents.ts';
import {
  createListedProofs,
  type ListedOrganisation,
  type ListedProof,
  newOrganisation,
} from '../samples/listed-proofs.ts';
import { measureLists } from './queries.ts';

/**
 * Lists of an organisation with very many documents, beside a second organisation, on the embedded
 * PostgreSQL; and the rate at which the projector folds documents from the log. No search is
 * repeated; totals are checked against plain counts.
 */
export const listing = benchmark({
  name: 'listing',
  description: 'lists and searches of an organisation with very many documents',
  options: {
    documents: count('documents of that organisation', 1_000_000),
    /** Kinds of search that read all documents get a tenth of this number. */
    searches: count('different searches of each kind', 300),
    /** These proofs measure the projector. */
    logged: count('proofs of a second organisation, folded from the log', 30_000),
  },
  async measure({ documents, searches, logged }, cleanUp) {
    const log = await openBenchLog(cleanUp, { maxConnections: 8 });
    const { postgres, pool, db, store } = log;
    const projector = await projectFromLog({ db, store, organisation: newOrganisation(), logged });
    const organisation = newOrganisation();
    const filled = await fillDocuments({ db, organisation, documents, seed: 2 });
    await pool.query('VACUUM ANALYZE');
    const single = openDatabase(postgres.url, { maxConnections: 1 });
    cleanUp.defer(single.close);
    const lists = await measureLists({ db: single.db, pool, organisation, documents, searches });
    return {
      postgres,
      setting: { documents, searches, ofAnotherOrganisation: logged },
      projector,
      filled,
      ...lists,
    };
  },
});

const proofsAtOnce = 2_000;

/**
 * Appends proofs to the log, encrypted, and folds them as the service does: reading, decrypting,
 * writing.
 */
async function projectFromLog(options: {
  readonly db: ReadModels;
  readonly store: EventStore;
  readonly organisation: ListedOrganisation;
  readonly logged: number;
}): Promise<object> {
  const { db, store, organisation, logged } = options;
  const { organisationId } = organisation;
  progress(`Appending the events of ${logged} proofs`);
  await store.createKeys(organisationId);
  const proofs = createListedProofs(organisation, 1);
  for (let from = 0; from < logged; from += proofsAtOnce) {
    const count = Math.min(proofsAtOnce, logged - from);
    await appendInRounds(store, organisationId, count, (n) => proofs(from + n));
  }
  await prepareProjection(db, projection);
  const head = await store.head();
  const startedAt = performance.now();
  for (let reached = 0; reached < head; ) {
    reached = (await projectNext(db, store, projection)) ?? reached;
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const eventsPerSecond = Math.round(head / seconds);
  const proofsPerSecond = Math.round(logged / seconds);
  progress(`Folded ${head} events: ${eventsPerSecond}/s`);
  return {
    events: head,
    proofs: logged,
    seconds: round(seconds, 1),
    eventsPerSecond,
    proofsPerSecond,
  };
}

/**
 * Appends all first events, then all second events and so on, so that a proof's events lie far
 * apart as in production.
 */
async function appendInRounds(
  store: EventStore,
  organisationId: ListedOrganisation['organisationId'],
  count: number,
  proof: (n: number) => ListedProof,
): Promise<void> {
  const all = Array.from({ length: count }, (_, n) => proof(n));
  for (let version = 0; all.some(({ events }) => events.length > version); version += 1) {
    const entries = all.flatMap(({ stream, events: { [version]: event } }) =>
      event ? [{ organisationId, stream, expectedVersion: version, events: [event] }] : [],
    );
    await store.append(entries, {});
  }
}
