import type { LedgerGateway } from '../../ledger/contract.ts';
import type { Trace } from '../../telemetry/contract.ts';

export interface BatchTracing {
  readonly gateway: Pick<LedgerGateway, 'name'>;
  /** Null or absent: no traces. */
  readonly trace?: Trace | null;
}

/** Runs work on a batch of transactions in a span of its own. */
export function traceBatch<Result>(
  { gateway, trace }: BatchTracing,
  name: string,
  transactions: number,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!trace) return work();
  const attributes = {
    'proofmark.network': gateway.name(),
    'proofmark.batch.transactions': transactions,
  };
  return trace({ name, parent: null, attributes }, work);
}
