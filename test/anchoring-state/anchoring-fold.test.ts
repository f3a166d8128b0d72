import { test } from 'tap';
import { AnchoringFold } from '../../src/anchoring-state/anchoring-fold.ts';
import type { SignedTransaction } from '../../src/domain/ledger/transaction.ts';

test('counts the open transactions of each account, one for each Sequence', async (t) => {
  const fold = new AnchoringFold('testnet');
  const gapFill = (ledgerId: string, account: string, sequence: number, of: 'A' | 'B' = 'A') => {
    const hash = (letter: string) => `${ledgerId}-${account}-${sequence}-${letter}`;
    const signed: SignedTransaction = {
      ...{ ledgerId, account, sequence, transactionHash: hash(of), blob: '', feeDrops: 10 },
      ...{ minLedger: 1, lastLedgerSequence: 9, replaces: of === 'B' ? hash('A') : null },
    };
    fold.backlog.gapFills.adopt([{ ...signed, eventId: signed.transactionHash }]);
  };
  gapFill('1-AA', 'r1', 5);
  t.strictSame(fold.summary.outstanding, {}, 'no ledger is known yet');
  fold.observe(
    [
      {
        ...{ type: 'LedgerJoined', position: 1, version: 1, stream: 'ledger-1-AA', eventId: 'E' },
        ...{ organisationId: null, recordedAt: '2026-01-01T00:00:00.000Z', meta: {} },
        data: {
          ...{ ledgerId: '1-AA', network: 'testnet', networkId: 1, standalone: false },
          ...{ index: 9, hash: 'AA', closeTime: 1 },
        },
      },
    ],
    1,
  );
  gapFill('1-AA', 'r1', 5, 'B');
  gapFill('1-AA', 'r1', 6);
  gapFill('1-AA', 'r2', 1);
  gapFill('1-BB', 'r3', 1);
  t.strictSame(fold.summary.outstanding, { r1: 2, r2: 1 });
});
