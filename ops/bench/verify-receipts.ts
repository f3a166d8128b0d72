import { createHmac } from 'node:crypto';
import { call, keepAliveAgent, type Receipt } from './proof-caller.ts';

export interface VerificationSummary {
  readonly proofs: number;
  readonly verified: number;
  readonly distinctTransactions: number;
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

/** Verifies every proof as anybody can: on the public endpoint, against a commitment made here. */
export async function verifyReceipts(
  address: string,
  receipts: readonly Receipt[],
): Promise<VerificationSummary> {
  const agent = keepAliveAgent(callers);
  const failures: string[] = [];
  let verified = 0;
  const left = receipts.values();
  const verifyNext = async () => {
    for (const receipt of left) {
      const { status, text } = await call(
        agent,
        'GET',
        `${address}/api/public/verify/${receipt.txHash}`,
      );
      if (status === 200 && confirms(JSON.parse(text) as PublicAnswer, receipt)) verified += 1;
      else failures.push(`${receipt.txHash}: ${status} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: callers }, verifyNext));
  agent.destroy();
  const distinctTransactions = new Set(receipts.map(({ txHash }) => txHash)).size;
  return {
    proofs: receipts.length,
    verified,
    distinctTransactions,
    failures: failures.slice(0, maxFailures),
  };
}

/** The contract's recipe: HMAC-SHA-256 with the nonce as key over the digest. */
function confirms({ data }: PublicAnswer, receipt: Receipt): boolean {
  const { hash, nonce, hashScheme, txHash } = receipt;
  const commitment = createHmac('sha256', Buffer.from(nonce, 'hex'))
    .update(Buffer.from(hash, 'hex'))
    .digest('hex');
  return (
    data?.verified === true &&
    data.transactionHash === txHash &&
    data.memo?.fileHash === commitment &&
    data.memo.hashScheme === hashScheme
  );
}
