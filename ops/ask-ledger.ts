import { filter, firstValueFrom, timeout } from 'rxjs';
import type { Bundle } from '../src/certificates/bundle.ts';
import type { LedgerFinding } from '../src/certificates/check-on-ledger.ts';
import { networkIds } from '../src/domain/network.ts';
import type { LedgerGateway } from '../src/ledger/contract.ts';
import { openGateway } from '../src/ledger/gateway.ts';
import { serverName } from '../src/ledger/server-status.ts';

const connectMs = 10_000;

/**
 * Asks one server of the ledger (ws:// or wss://) for the validated ledger of a bundle, whose hash and
 * transactions are recomputed. A server that is of another network, or does not answer, is a finding too.
 */
export async function askLedger(
  url: string | undefined,
  { anchor }: Bundle,
): Promise<LedgerFinding> {
  if (url === undefined) return { asked: false, why: 'no --ledger was given' };
  const { network, ledgerIndex } = anchor;
  const server = serverName(url);
  const gateway = openGateway({ network, urls: [url] });
  try {
    await settled(gateway);
    const status = gateway.current();
    if (!status.connected) {
      const wanted = `${network} (network_id ${networkIds[network]})`;
      const why = `${server} does not serve ${wanted}: ${status.reason}`;
      return { asked: true, reached: false, why };
    }
    const ledger = await gateway.ledger(ledgerIndex);
    return { asked: true, reached: true, server, standalone: status.standalone, ledger };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { asked: true, reached: false, why: `${server} gave no answer: ${reason}` };
  } finally {
    await gateway.close();
  }
}

/** Until the one server is connected, or it is known that it cannot be. */
async function settled(gateway: LedgerGateway): Promise<void> {
  const known = () => gateway.servers().every(({ state }) => state !== 'connecting');
  await firstValueFrom(gateway.status.pipe(filter(known), timeout(connectMs)));
}
