import { decode, encode } from 'ripple-binary-codec';
import { test } from 'tap';
import { Wallet } from 'xrpl';
import type { AnchoredClaim } from '../../../../ops/audit/anchors/anchored-claim.ts';
import { isSoundAnchor } from '../../../../ops/audit/anchors/is-sound-anchor.ts';
import { findReasons } from '../../../../ops/audit/anchors/reasons-against.ts';
import { SignedBlobs } from '../../../../ops/audit/anchors/signed-blobs.ts';
import { proofMemo } from '../../../../src/domain/proof/memo.ts';
import { runCount } from '../../../support/run-count.ts';
import { type SampleOptions, sampleProof, sampleWallet } from '../../../support/sample-bundle.ts';
import { seededRandom } from '../../../support/seed.ts';

interface Metadata {
  readonly TransactionIndex: number;
  readonly AffectedNodes: readonly [{ readonly ModifiedNode: { readonly FinalFields: object } }];
}

const signed = new SignedBlobs();

function claimOf(options: SampleOptions = {}): AnchoredClaim {
  const { content, evidence } = sampleProof(options);
  const { network, account, transactionHash, ledgerIndex, ledgerHash, closeTimeIso } = content;
  const { commitment, fileHash, hashScheme, previousTransactionHash: previous } = content;
  const { blob, metadata, ledgerHeader, closeTime, transactionIndex } = evidence;
  const [sequence, feeDrops, lastLedgerSequence] = [7, 10, ledgerIndex + 2];
  return {
    network,
    sent: {
      ...{ ledgerId: '0', transactionHash, account, sequence, feeDrops, lastLedgerSequence },
      ...{ minLedger: ledgerIndex - 2, blob },
    },
    anchor: {
      ...{ ledgerId: '0', transactionHash, ledgerIndex, ledgerHash, closeTime, closeTimeIso },
      ...{ transactionIndex, metadata, ledgerHeader },
    },
    memo: () => proofMemo({ fileHash: commitment ?? fileHash, hashScheme, previous }),
    isSigned: (text) => signed.isSigned(text),
  };
}

const secp256k1 = Wallet.fromEntropy(Buffer.alloc(16, 3), {
  algorithm: 'ecdsa-secp256k1' as never,
});

test('sound evidence is recognised, with keys of both kinds', async (t) => {
  for (const signer of [sampleWallet, secp256k1]) {
    for (const hashScheme of ['hmac-sha256-nonce-v3', 'sha256-plain-v1'] as const) {
      const claim = claimOf({ hashScheme, signer });
      t.strictSame(findReasons(claim, null), []);
      t.equal(isSoundAnchor(claim), true);
    }
  }
});

test('a validly signed transaction of another form is left to the other checks', async (t) => {
  const changes = [
    ...[{ Flags: 0 }, { SetFlag: 5 }, { Domain: '61' }, { Sequence: 8 }, { Fee: '11' }],
    ...[{ LastLedgerSequence: 5 }, { SourceTag: 1 }, { Memos: [{ Memo: { MemoData: '61' } }] }],
  ];
  for (const transaction of changes) {
    t.equal(isSoundAnchor(claimOf({ transaction })), false, JSON.stringify(transaction));
  }
});

test('an altered value of any event is found', async (t) => {
  const claim = claimOf();
  for (const part of ['sent', 'anchor'] as const) {
    for (const [name, value] of Object.entries(claim[part])) {
      if (name === 'minLedger') continue;
      const other = typeof value === 'number' ? value + 1 : `${value}`.replace(/.$/, '~');
      const altered = { ...claim, [part]: { ...claim[part], [name]: other } };
      t.equal(isSoundAnchor(altered), false, `${part} ${name}`);
      t.not(findReasons(altered, null).length, 0, `${part} ${name}`);
    }
  }
  const memo = () => proofMemo({ fileHash: '0'.repeat(64), hashScheme: 'sha256-plain-v1' });
  t.equal(isSoundAnchor({ ...claim, memo }), false);
  t.equal(isSoundAnchor({ ...claim, isSigned: () => false }), false);
});

test('metadata of other forms are left to the other checks', async (t) => {
  const claim = claimOf();
  const metadata = decode(claim.anchor.metadata) as unknown as Metadata;
  const [{ ModifiedNode: node }] = metadata.AffectedNodes;
  const withNode = (change: object) => ({
    ...metadata,
    AffectedNodes: [{ ModifiedNode: { ...node, ...change } }],
  });
  const changes = [
    { ...metadata, TransactionResult: 'tecCLAIM' },
    { ...metadata, TransactionIndex: metadata.TransactionIndex + 1 },
    { ...metadata, AffectedNodes: [] },
    withNode({ LedgerEntryType: 'DirectoryNode' }),
    withNode({ PreviousFields: { Sequence: 8 } }),
    withNode({ PreviousFields: {} }),
    withNode({ FinalFields: { ...node.FinalFields, Sequence: 9 } }),
    withNode({ FinalFields: { ...node.FinalFields, Account: secp256k1.classicAddress } }),
  ];
  for (const changed of changes) {
    const anchor = { ...claim.anchor, metadata: encode(changed) };
    t.equal(isSoundAnchor({ ...claim, anchor }), false, JSON.stringify(changed));
  }
  const usual = withNode({
    FinalFields: {
      ...node.FinalFields,
      Balance: '99999990',
      Flags: 0,
      OwnerCount: 2,
      Domain: '61',
    },
  });
  const anchor = { ...claim.anchor, metadata: encode(usual) };
  t.strictSame(findReasons({ ...claim, anchor }, null), []);
  t.equal(isSoundAnchor({ ...claim, anchor }), true, 'usual fields');
});

test('no altered metadata count as sound that the decoder refuses', async (t) => {
  const claim = claimOf();
  const draw = seededRandom(t);
  const below = (count: number) => Math.floor(draw() * count);
  let sound = 0;
  for (let n = 0; n < runCount(800, 4_000); n += 1) {
    const bytes = [...Buffer.from(claim.anchor.metadata, 'hex')];
    bytes.splice(
      below(bytes.length),
      below(3),
      ...Array.from({ length: below(3) }, () => below(256)),
    );
    const metadata = Buffer.from(bytes).toString('hex').toUpperCase();
    const altered = { ...claim, anchor: { ...claim.anchor, metadata } };
    if (!isSoundAnchor(altered)) continue;
    sound += 1;
    const reasons = findReasons(altered, null);
    if (reasons.length > 0) t.strictSame(reasons, [], metadata);
  }
  t.ok(sound > 0, `${sound} remained sound`);
});

test('a signature in lower-case hex is left to the other checks', async (t) => {
  for (const signer of [sampleWallet, secp256k1]) {
    const claim = claimOf({ signer });
    const { blob = '' } = claim.sent;
    const at = blob.indexOf('74', 4 + 66 + blob.indexOf('7321'));
    const end = at + 4 + 2 * Number.parseInt(blob.slice(at + 2, at + 4), 16);
    const lower = blob.slice(0, at + 4) + blob.slice(at + 4, end).toLowerCase() + blob.slice(end);
    const altered = { ...claim, sent: { ...claim.sent, blob: lower } };
    t.not(findReasons(altered, null).length, 0);
    t.equal(isSoundAnchor(altered), false);
  }
});

test('a key of small order, or of another form, is left to the other checks', async (t) => {
  const { blob = '' } = claimOf().sent;
  const own = /ED[0-9A-F]{64}/.exec(blob)?.[0] ?? '';
  for (const key of [`ED01${'0'.repeat(62)}`, `EDED${'F'.repeat(60)}7F`, `05${own.slice(2)}`]) {
    t.equal(signed.isSigned(blob.replace(own, key)), false, key);
  }
  t.equal(signed.isSigned(blob), true);
  t.equal(signed.isSigned(blob.toLowerCase()), false);
});
