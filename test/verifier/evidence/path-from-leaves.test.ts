import { bytesToHex } from '@noble/hashes/utils.js';
import { test } from 'tap';
import { transactionLeaves } from '../../../src/ledger/transaction-tree.ts';
import { BadEvidence } from '../../../src/verifier/evidence/bad-evidence.ts';
import { pathFromLeaves } from '../../../src/verifier/evidence/path-from-leaves.ts';
import { followPath, transactionHash } from '../../../src/verifier/evidence/transaction-path.ts';
import { drawCases } from '../../support/draw-cases.ts';
import { transactionPath } from '../../support/transaction-path.ts';
import { type SampleLedger, sampleLedger, sampleLedgers } from '../../support/validated-network.ts';

function leavesOf({ items }: SampleLedger): Uint8Array {
  return transactionLeaves(
    items.map(({ blob, metadata }) => ({
      hash: Buffer.from(transactionHash(blob)),
      blob: Buffer.from(blob),
      metadata: Buffer.from(metadata),
    })),
  );
}

test('paths of a real ledger follow from the leaves of its tree', async (t) => {
  for (const ledger of sampleLedgers().filter(({ items }) => items.length > 0)) {
    const leaves = leavesOf(ledger);
    t.equal(leaves.length, 64 * ledger.items.length);
    for (const item of drawCases(t, ledger.items, () => '', { oneOf: 40, oneOfInCi: 10 })) {
      const hash = bytesToHex(transactionHash(item.blob));
      const path = pathFromLeaves(leaves, hash);
      t.equal(followPath(item, path), ledger.header.transactionRoot, ledger.file);
      t.strictSame(path, transactionPath(ledger.items, hash).path, 'the same bytes');
    }
  }
});

test('leaves that lack the transaction, or end within one, give no path', async (t) => {
  const leaves = leavesOf(sampleLedger(262));
  t.throws(() => pathFromLeaves(leaves, '00'.repeat(32)), BadEvidence);
  t.throws(() => pathFromLeaves(leaves.subarray(1), '00'.repeat(32)), BadEvidence);
});
