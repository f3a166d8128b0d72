import type { EventStore } from '../event-store/event-store.ts';
import type { LedgerGateway } from '../ledger/contract.ts';
import type { Projection, ReadModels } from '../subscriptions/projection.ts';
import { projectionLag } from '../subscriptions/projection-lag.ts';

/** Whoever asks is told no more than this: an error's own words may name what is secret. */
const pauses = {
  feeAboveLimit: 'the ledger asks for a higher fee than MAX_FEE_DROPS',
  noAccount: 'every configured anchoring account is retired',
  noFundedAccount: 'no anchoring account is funded',
  keyNotAuthorised: 'the ledger does not take the configured key of the anchoring account',
  undecidedTransaction: 'no server tells what became of a transaction; add one with full history',
  ledgerBehind: 'the servers are behind what was seen of the ledger before',
  notCompared: 'the log is not yet compared with its last checkpoint on the ledger',
  otherLedger: 'a server shows another ledger than the one known',
  unrecognised: 'no server shows the ledger by which the known one is recognised',
  trouble: 'failing; it is tried again',
} as const;

type Pause = keyof typeof pauses;

/** A projection further behind the head than this is not ready to be read. */
const maxLagEvents = 10_000;

/**
 * Names what keeps the service from doing its work, for `GET /readyz`: the database, projections
 * far behind or of an earlier version, ledgers that are not connected, anchoring that is paused. Empty if nothing does.
 */
export function readinessOf(deps: {
  readonly db: ReadModels;
  readonly store: EventStore;
  readonly projections: readonly Pick<Projection, 'name' | 'version'>[];
  readonly gateways: readonly LedgerGateway[];
  /** For each network that is anchored on here: why not now, or null. */
  readonly paused: () => readonly (Pause | null)[];
}): () => Promise<readonly string[]> {
  const { db, store, projections, gateways, paused } = deps;
  return async () => {
    const names = projections.map(({ name }) => name);
    const lag = await projectionLag(db, store, names).catch(() => null);
    const behind = [...(lag ?? [])].filter(([, { events }]) => events > maxLagEvents);
    // Queries of this program may ask for what the live one lacks.
    const older = projections.filter(
      ({ name, version }) => (lag?.get(name)?.version ?? version) < version,
    );
    const unconnected = gateways.flatMap(({ network, current }) => {
      const status = current();
      return status.connected ? [] : [`ledger ${network}: not connected`];
    });
    return [
      ...(lag === null ? ['database'] : []),
      ...older.map(({ name, version }) => `projection ${name}: version ${version} is not live yet`),
      ...behind.map(([name, { events }]) => `projection ${name}: ${events} events behind`),
      ...unconnected,
      ...paused().flatMap((pause) => (pause === null ? [] : [`anchoring: ${pauses[pause]}`])),
    ];
  };
}
