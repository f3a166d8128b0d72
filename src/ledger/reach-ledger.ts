import { filter, firstValueFrom, timeout } from 'rxjs';
import { LedgerUnavailable } from './ledger-unavailable.ts';
import type { ServerConnection } from './server-connection.ts';
import type { ServerStatus } from './server-status.ts';

/** Waits until the server has reached the ledger. Rejects with `LedgerUnavailable` if it has not in time. */
export async function reachLedger(
  server: ServerConnection,
  index: number,
  withinMs: number,
): Promise<void> {
  const hasCome = (status: ServerStatus) => status.state === 'ready' && status.tip.index >= index;
  const coming = server.status.pipe(filter(hasCome), timeout(withinMs));
  await firstValueFrom(coming).catch((cause: unknown) => {
    throw LedgerUnavailable.wrap(cause, `${server.name} has not reached ledger ${index}`);
  });
}
