import type { LedgerGateway, ValidatedLedger } from './contract.ts';

/** The validated ledger with this hash (upper-case hex). Null if no server has it. */
export type ReadLedger = (index: number, hash: string) => Promise<ValidatedLedger | null>;

const kept = 4;

/**
 * Keeps the newest ledgers that were read through the gateway, so that a second reader in the
 * process need not ask for them and check them again.
 */
export function rememberLedgers(gateway: LedgerGateway): {
  readonly gateway: LedgerGateway;
  readonly ledger: ReadLedger;
} {
  const newest = new Map<number, ValidatedLedger>();
  const read = async (index: number) => {
    const ledger = await gateway.ledger(index);
    if (ledger === null) return null;
    newest.delete(index);
    newest.set(index, ledger);
    const [oldest] = newest.keys();
    if (newest.size > kept && oldest !== undefined) newest.delete(oldest);
    return ledger;
  };
  return {
    gateway: { ...gateway, ledger: read },
    async ledger(index, hash) {
      const known = newest.get(index);
      if (known?.hash === hash) return known;
      return gateway.ledger(index, hash);
    },
  };
}
