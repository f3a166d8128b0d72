import { call, keepAliveAgent, type Receipt } from './proof-caller.ts';
import { commitmentOf } from './receipt-commitment.ts';

export interface PublicVerification {
  /** How many were looked at. */
  readonly receipts: number;
  readonly verified: number;
  /** The first few that did not verify, with the reason. */
  readonly failures: readonly string[];
}

const callers = 16;
const maxFailures = 5;

interface PublicAnswer {
  readonly data?: {
    readonly transactionHash: string;
    readonly verified: boolean;
    readonly memo: { readonly fileHash: string; readonly hashScheme: string } | null;
  };
}

/**
 * Verifies proofs as anybody can, on the public endpoint, against a commitment made here: all of
 * them, or `most` that are spread evenly.
 */
export async function verifyPublicly(
  address: string,
  receipts: readonly Receipt[],
  most: number,
): Promise<PublicVerification> {
  const agent = keepAliveAgent(callers);
  const every = Math.max(1, receipts.length / most);
  const count = Math.min(most, receipts.length);
  const chosen = Array.from({ length: count }, (_, place) => receipts[Math.floor(place * every)]);
  const failures: string[] = [];
  let verified = 0;
  const left = chosen.values();
  const verifyNext = async () => {
    for (const receipt of left) {
      if (receipt === undefined) continue;
      const url = `${address}/api/public/verify/${receipt.txHash}`;
      const { status, text } = await call(agent, 'GET', url);
      if (status === 200 && confirms(JSON.parse(text) as PublicAnswer, receipt)) verified += 1;
      else failures.push(`${receipt.txHash}: ${status} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: callers }, verifyNext));
  agent.destroy();
  return { receipts: count, verified, failures: failures.slice(0, maxFailures) };
}

function confirms({ data }: PublicAnswer, receipt: Receipt): boolean {
  const { hashScheme, txHash } = receipt;
  return (
    data?.verified === true &&
    data.transactionHash === txHash &&
    data.memo?.fileHash === commitmentOf(receipt) &&
    data.memo.hashScheme === hashScheme
  );
}
