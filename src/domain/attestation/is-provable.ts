import type { AttestationEvent } from './events.ts';

/**
 * Headers between a ledger and the signed one at most: nine hours on mainnet. A longer chain has no
 * room in a bundle.
 */
export const longestChain = 8_192;

/** True if a bundle can show by this record that the ledger is validated. */
export function isProvable(event: AttestationEvent): boolean {
  if (event.type === 'LedgerAttested') return true;
  return event.data.attestedIndex - event.data.ledgerIndex <= longestChain;
}
