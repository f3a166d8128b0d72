import { documents as projection } from '../../projections/documents/project.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { type ReadModels, tableName } from '../../src/subscriptions/projection.ts';
import { prepareProjection, projectNext } from '../../src/subscriptions/projector.ts';
import { asStored, createListedProofs, type ListedOrganisation } from './listed-proofs.ts';
import { round } from './machine.ts';
import { progress } from './progress.ts';

const proofsAtOnce = 2_000;

/** Appends proofs to the log, sealed, and folds them as the service does: reading, opening, writing. */
export async function projectFromLog(options: {
  readonly db: ReadModels;
  readonly store: EventStore;
  readonly organisation: ListedOrganisation;
  readonly logged: number;
}): Promise<object> {
  const { db, store, organisation, logged } = options;
  const { organisationId } = organisation;
  progress(`appending the events of ${logged} proofs`);
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
  progress(`folded ${head} events, ${eventsPerSecond}/s`);
  return {
    events: head,
    proofs: logged,
    seconds: round(seconds, 1),
    eventsPerSecond,
    proofsPerSecond,
  };
}

/** First all requests, then what follows each, so that a proof's events lie far apart as in life. */
async function appendInRounds(
  store: EventStore,
  organisationId: ListedOrganisation['organisationId'],
  count: number,
  proof: (n: number) => ReturnType<ReturnType<typeof createListedProofs>>,
): Promise<void> {
  const all = Array.from({ length: count }, (_, n) => proof(n));
  for (let version = 0; all.some(({ events }) => events.length > version); version += 1) {
    const entries = all.flatMap(({ stream, events: { [version]: event } }) =>
      event ? [{ organisationId, stream, expectedVersion: version, events: [event] }] : [],
    );
    await store.append(entries, {});
  }
}

/** Folds proofs without a log: the tables are as they would be, made in a fraction of the time. */
export async function fillDirectly(options: {
  readonly db: ReadModels;
  readonly organisation: ListedOrganisation;
  readonly documents: number;
  readonly seed: number;
}): Promise<object> {
  const { db, organisation, documents, seed } = options;
  const proofs = createListedProofs(organisation, seed);
  const named = tableName(1);
  const startedAt = performance.now();
  for (let from = 0; from < documents; from += proofsAtOnce) {
    const count = Math.min(proofsAtOnce, documents - from);
    const made = Array.from({ length: count }, (_, n) => proofs(from + n));
    const events = asStored(made, organisation.organisationId, from * 4);
    await db.transaction().execute((trx) => projection.project(trx, events, named));
    if (from % 100_000 === 0) progress(`filling: ${from} of ${documents} documents`);
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  return { documents, seconds: round(seconds, 1) };
}
