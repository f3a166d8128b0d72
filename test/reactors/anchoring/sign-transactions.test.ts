import { generateSeed } from 'ripple-keypairs';
import { test } from 'tap';
import { createSeedSigner, type Signer } from '../../../src/ledger/signer.ts';
import type { Anchorable } from '../../../src/reactors/anchoring/anchorable.ts';
import { type Draft, signTransactions } from '../../../src/reactors/anchoring/sign-transactions.ts';

const key = createSeedSigner(generateSeed());
const common = {
  ledgerId: 'ledger',
  feeDrops: 10,
  minLedger: 5,
  lastLedgerSequence: 13,
  replaces: null,
};

/** An item that records what is prepared for it, and can move on. */
function itemAt(version: number) {
  const item = {
    version,
    memo: () => ({ type: 'proofmark/proof', format: 'application/json', data: '{}' }),
    prepared: ({ transactionHash }: { transactionHash: string }) => ({
      transactionHash,
      events: [{}],
    }),
  };
  return item as typeof item & Anchorable;
}

test('drafts with an item anchor it, and the others fill gaps', async (t) => {
  const of = itemAt(1);
  const drafts: Draft[] = [
    { ...common, sequence: 7, of: null },
    { ...common, sequence: 8, of },
  ];
  const { anchors = [], gapFills = [] } = (await signTransactions(drafts, key)) ?? {};
  t.match(gapFills, [{ ...common, sequence: 7, account: key.address, blob: /^1200032400000007/ }]);
  t.match(anchors, [{ of, signed: { sequence: 8, blob: /^1200032400000008/ } }]);
  const { transactionHash } = anchors[0]?.signed ?? {};
  t.strictSame(anchors[0]?.entry, { transactionHash, events: [{}] });
});

test('nothing is recorded for items that changed while they were signed', async (t) => {
  const of = itemAt(1);
  const slow: Signer = {
    ...key,
    async sign(messages) {
      of.version = 2;
      return key.sign(messages);
    },
  };
  const drafts = [{ ...common, sequence: 7, of }];
  t.equal(await signTransactions(drafts, slow), null);
  t.ok(await signTransactions(drafts, key), 'the next attempt signs');
  Object.assign(of, { prepared: () => ({ events: [] }) });
  t.equal(await signTransactions(drafts, key), null, 'it needs no transaction any more');
});
