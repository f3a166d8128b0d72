import { filter, firstValueFrom, map, merge, timer } from 'rxjs';
import type { LedgerFinding } from '../../src/certificates/check-on-ledger.ts';
import { networkIds } from '../../src/domain/network.ts';
import type { LedgerGateway } from '../../src/ledger/contract.ts';
import { openGateway } from '../../src/ledger/gateway.ts';
import { serverName } from '../../src/ledger/server-status.ts';
import type { Bundle } from '../../src/verifier/bundle/bundle.ts';

/**
 * Asks one server of the ledger (ws:// or wss://) for the validated ledger of a bundle, and
 * recomputes its hash and transactions. A server of another network, or without an answer, is a
 * finding too.
 */
export async function askServer(
  url: string | undefined,
  { anchor }: Pick<Bundle, 'anchor'>,
  connectMs = 10_000,
): Promise<LedgerFinding> {
  if (url === undefined)
    return {
      asked: false,
      why: 'no ledger was asked: use --ledger to name a server that you trust',
    };
  const { network, ledgerIndex } = anchor;
  const server = serverName(url);
  const gateway = openGateway({ network, urls: [url] });
  try {
    if (!(await settles(gateway, connectMs))) {
      const why = `${server} did not answer within ${connectMs / 1_000} s: ${advice}`;
      return { asked: true, reached: false, why };
    }
    const status = gateway.current();
    if (!status.connected) {
      const wanted = `${network} (network_id ${networkIds[network]})`;
      const why = `${server} cannot be used for ${wanted}: ${cutOff(status.reason)}. ${another}`;
      return { asked: true, reached: false, why };
    }
    const ledger = await gateway.ledger(ledgerIndex);
    return { asked: true, reached: true, server, standalone: status.standalone, ledger };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const why = `${server} gave no usable answer (${cutOff(reason)}): ${advice}`;
    return { asked: true, reached: false, why };
  } finally {
    await gateway.close();
  }
}

const advice = 'try again, or name another server with --ledger';
const another = 'Name a server of this network with --ledger';

/** Shortens a server's text, which may be of any length. */
function cutOff(text: string): string {
  return text.length > maxReason ? `${text.slice(0, maxReason)}…` : text;
}

const maxReason = 200;

/** True if the server is connected, or has failed to connect, within `connectMs`. */
async function settles(gateway: LedgerGateway, connectMs: number): Promise<boolean> {
  const isKnown = () => gateway.servers().every(({ state }) => state !== 'connecting');
  const known = gateway.status.pipe(
    filter(isKnown),
    map(() => true),
  );
  return firstValueFrom(merge(known, timer(connectMs).pipe(map(() => false))));
}
