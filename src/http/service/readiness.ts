import type { EventStore } from '../../event-store/event-store.ts';
import type { LedgerGateway, LedgerServer } from '../../ledger/contract.ts';
import type { Projection, ReadModels } from '../../subscriptions/projection.ts';
import { projectionLag } from '../../subscriptions/projection-lag.ts';

/** Public texts for pauses. Error messages are not shown, since they may contain secrets. */
const pauses = {
  feeAboveLimit: 'the ledger asks for a higher fee than MAX_FEE_DROPS',
  noAccount: 'every configured anchoring account is retired',
  noFundedAccount: 'no anchoring account is funded',
  keyNotAuthorised: 'the ledger does not accept the configured key of the anchoring account',
  signerUnavailable: 'the signer of the anchoring account does not answer, or refuses',
  undecidedTransaction:
    'no server shows the outcome of a transaction; add a server with full history',
  ledgerBehind: 'the servers are behind the newest known ledger',
  notCompared:
    'the log is not yet compared with its last checkpoint, on the ledger or in the storage',
  otherLedger: 'a server shows a different ledger than the known one',
  unrecognised: 'no server shows the ledger by which the known one is recognised',
  storageAway: 'the storage takes no submission mark',
  storageFull: 'the storage has no space left for a submission mark',
  trouble: 'failing; retrying',
} as const;

type Pause = keyof typeof pauses;

/** Maximum events that a projection may be behind the head to be ready. */
const maxLagEvents = 10_000;

/**
 * Names the obstacles to the service's work, for `GET /readyz`: a database that does not commit, projections far
 * behind or of an earlier version, disconnected ledgers, paused anchoring. Empty if there is no
 * obstacle.
 */
export function readinessOf(deps: {
  readonly db: ReadModels;
  readonly store: EventStore;
  readonly projections: readonly Pick<Projection, 'name' | 'version'>[];
  readonly gateways: readonly LedgerGateway[];
  /** Why the database does not commit; null if it does. */
  readonly commits: () => Promise<string | null>;
  /** For each network with anchoring: the reason for a pause, or null. */
  readonly paused: () => readonly (Pause | null)[];
}): () => Promise<readonly string[]> {
  const { db, store, projections, gateways, commits, paused } = deps;
  return async () => {
    const names = projections.map(({ name }) => name);
    const [lag, hindrance] = await Promise.all([
      projectionLag(db, store, names).catch(() => null),
      commits(),
    ]);
    const behind = [...(lag ?? [])].filter(([, { events }]) => events > maxLagEvents);
    // Queries of this program may need columns or tables that the live version lacks.
    const older = projections.filter(
      ({ name, version }) => (lag?.get(name)?.version ?? version) < version,
    );
    const unconnected = gateways.flatMap(({ name, current, servers }) =>
      current().connected ? [] : [`ledger ${name()}: not connected${blockedAmong(servers())}`],
    );
    return [
      ...(lag === null && hindrance === null ? ['database'] : []),
      ...(hindrance === null ? [] : [`database: ${hindrance}`]),
      ...older.map(({ name, version }) => `projection ${name}: version ${version} is not live yet`),
      ...behind.map(([name, { events }]) => `projection ${name}: ${events} events behind`),
      ...unconnected,
      ...paused().flatMap((pause) => (pause === null ? [] : [`anchoring: ${pauses[pause]}`])),
    ];
  };
}

/** Counts the servers that only an upgrade brings back; empty if there is none. */
function blockedAmong(servers: readonly LedgerServer[]): string {
  const blocked = servers.filter(({ amendmentBlocked }) => amendmentBlocked).length;
  if (blocked === 0) return '';
  return `; amendment blocked until upgraded: ${blocked} of ${servers.length} server(s)`;
}
