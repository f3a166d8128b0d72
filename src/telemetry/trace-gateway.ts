import type { LedgerGateway } from '../ledger/contract.ts';
import type { Trace } from './contract.ts';

/** The same gateway, with each submission traced. */
export function traceGateway(gateway: LedgerGateway, trace: Trace): LedgerGateway {
  return {
    ...gateway,
    submit: (blob, earlier, isWanted) =>
      trace(
        {
          name: 'anchoring submit',
          kind: 'client',
          parent: null,
          attributes: { 'proofmark.network': gateway.name() },
        },
        async (span) => {
          const answer = await gateway.submit(blob, earlier, isWanted);
          span.set({ 'proofmark.ledger.engine_result': answer.engineResult });
          return answer;
        },
      ),
  };
}
