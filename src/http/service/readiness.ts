import type { EventStore } from '../../event-store/event-store.ts';
import type { Projection, ReadModels } from '../../subscriptions/projection.ts';
import { projectionLag } from '../../subscriptions/projection-lag.ts';
import { type AnchoringNetwork, networkObstacles } from './network-obstacles.ts';

/** Maximum events that a projection may be behind the head to be ready. */
const maxLagEvents = 10_000;

/** Time for which the lag is kept: anybody may ask, and each look takes two statements. */
const lagKeptMs = 1_000;

/**
 * Names the obstacles to the service's work, for `GET /readyz`: a database that does not commit,
 * projections far behind or of an earlier version, a disconnected ledger or paused anchoring of the
 * network of new proofs. Empty if there is no obstacle.
 */
export function readinessOf(deps: {
  readonly db: ReadModels;
  readonly store: EventStore;
  readonly projections: readonly Pick<Projection, 'name' | 'version'>[];
  /** Why the database does not commit; null if it does. */
  readonly commits: () => Promise<string | null>;
  /** The network that new proofs are anchored on. */
  readonly network: Pick<AnchoringNetwork, 'gateway' | 'paused'>;
}): () => Promise<readonly string[]> {
  const { db, store, projections, commits, network } = deps;
  const names = projections.map(({ name }) => name);
  const lagNow = keptFor(lagKeptMs, () => projectionLag(db, store, names).catch(() => null));
  return async () => {
    const [lag, hindrance] = await Promise.all([lagNow(), commits()]);
    const behind = [...(lag ?? [])].filter(([, { events }]) => events > maxLagEvents);
    // Queries of this program may need columns or tables that the live version lacks.
    const older = projections.filter(
      ({ name, version }) => (lag?.get(name)?.version ?? version) < version,
    );
    return [
      ...(lag === null && hindrance === null ? ['database'] : []),
      ...(hindrance === null ? [] : [`database: ${hindrance}`]),
      ...older.map(({ name, version }) => `projection ${name}: version ${version} is not live yet`),
      ...behind.map(([name, { events }]) => `projection ${name}: ${events} events behind`),
      ...networkObstacles(network, 'anchoring'),
    ];
  };
}

/** Reads again only once the last answer is `ms` old. Concurrent callers share one reading. */
function keptFor<Value>(ms: number, read: () => Promise<Value>): () => Promise<Value> {
  let known: Promise<Value> | null = null;
  let knownUntil = Infinity;
  return () => {
    if (known === null || performance.now() >= knownUntil) {
      knownUntil = Infinity;
      known = read().finally(() => {
        knownUntil = performance.now() + ms;
      });
    }
    return known;
  };
}
