import type { DomainEvent } from '../../../src/domain/events.ts';

/** Id of the ledger of synthetic anchors. */
export const ledgerId = '1-4D5F0D1E2C3B4A59687786A5B4C3D2E1F00112233445566778899AABBCCDDEE';

/** A prepared and a validated anchor, without their binary forms. */
export function anchorEvents(transactionHash: string, ledgerIndex: number) {
  const prepared: DomainEvent = {
    type: 'AnchorPrepared',
    data: {
      ...{ ledgerId, transactionHash, blob: '', hashScheme: 'hmac-sha256-nonce-v3' },
      ...{ previousTransactionHash: null, account: 'rA', sequence: 1, feeDrops: 10 },
      ...{ minLedger: 1, lastLedgerSequence: 9, replaces: null },
    },
  };
  const anchored: DomainEvent = {
    type: 'Anchored',
    data: {
      ...{ ledgerId, transactionHash, ledgerIndex, ledgerHash: '', closeTime: 1 },
      closeTimeIso: '2026-01-01T00:00:10.000Z',
      ...{ transactionIndex: 0, metadata: '', ledgerHeader: '' },
    },
  };
  return { prepared, anchored };
}
