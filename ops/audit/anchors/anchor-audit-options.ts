import type { LedgerFinding } from '../../../src/certificates/check-on-ledger.ts';
import type { Network } from '../../../src/domain/network.ts';
import type { EventRow } from '../../../src/event-store/stored-event.ts';
import type { Findings } from '../findings/findings.ts';

export interface AnchorAuditOptions {
  /** Null if only the evidence in the events is checked. */
  readonly ask: AskLedger | null;
  /** Null without keys. */
  readonly open?: OpenRow | null;
  readonly findings: Findings;
}

/** Asks a server of the ledger for a validated ledger. */
export type AskLedger = (network: Network, index: number) => Promise<LedgerFinding>;

/**
 * Returns the data of a row with its encrypted fields decrypted, or without them if the
 * organisation's keys are destroyed. Rejects with `UnreadableEvent` if the fields cannot be
 * decrypted or the data cannot be parsed.
 */
export type OpenRow = (row: EventRow) => Promise<object>;
