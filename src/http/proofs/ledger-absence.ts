import { BehaviorSubject, distinctUntilChanged, filter, map, NEVER, type Observable } from 'rxjs';
import type { Network } from '../../domain/network.ts';
import type { LedgerGateway } from '../../ledger/contract.ts';

/** Networks whose servers are known to be away, as `GET /readyz` shows after some seconds. */
export interface LedgerAbsence {
  isAway(network: Network): boolean;
  /** Emits at once if the network is away, and whenever it goes away. */
  whenAway(network: Network): Observable<unknown>;
}

const defaultAwayMs = 5_000;

/** A network counts as away when no server was connected for `awayMs` (default 5,000). */
export function watchLedgerAbsence(
  gateways: readonly Pick<LedgerGateway, 'network' | 'status'>[],
  awayMs: number = defaultAwayMs,
): LedgerAbsence {
  const absences = new Map(
    gateways.map(({ network, status }) => [network, watchOne(status, awayMs)]),
  );
  return {
    isAway: (network) => absences.get(network)?.value ?? false,
    whenAway: (network) => absences.get(network)?.pipe(filter(Boolean)) ?? NEVER,
  };
}

function watchOne(status: LedgerGateway['status'], awayMs: number): BehaviorSubject<boolean> {
  const isAway = new BehaviorSubject(false);
  let timer: NodeJS.Timeout | undefined;
  const connections = status.pipe(
    map(({ connected }) => connected),
    distinctUntilChanged(),
  );
  connections.subscribe((connected) => {
    clearTimeout(timer);
    if (connected) isAway.next(false);
    else timer = setTimeout(() => isAway.next(true), awayMs).unref();
  });
  return isAway;
}
