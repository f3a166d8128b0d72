import type { AttestationEvent } from './events.ts';

/**
 * Maximum headers between a ledger and the signed one: nine hours on mainnet. A bundle has no room
 * for a longer chain.
 */
export const longestChain = 8_192;

/** True if a bundle can show by this record that the ledger is validated. */
export function isProvable(event: AttestationEvent): boolean {
  if (event.type === 'LedgerAttested') return true;
  return event.data.attestedIndex - event.data.ledgerIndex <= longestChain;
}
