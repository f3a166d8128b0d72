import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { decode, encode } from 'ripple-binary-codec';
import { test } from 'tap';
import { type AccountSet, hashes, Wallet } from 'xrpl';
import { proofMemo } from '../../src/domain/proof/memo.ts';
import { readTransaction, signAnchor } from '../../src/ledger/anchor-transaction.ts';
import { createSeedSigner } from '../../src/ledger/signer.ts';
import { transactionTreeHash } from '../../src/ledger/transaction-tree.ts';

const hex = (text: string) => Buffer.from(text, 'utf8').toString('hex').toUpperCase();

test('blob and hash equal those signed by the xrpl library, for both kinds of keys', async (t) => {
  const wallets = [
    Wallet.generate('ed25519' as never),
    Wallet.generate('ecdsa-secp256k1' as never),
  ];
  for (const wallet of wallets) {
    const signer = createSeedSigner(wallet.seed ?? '');
    t.equal(signer.address, wallet.address);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2 ** 32 - 9 }),
        fc.integer({ min: 10, max: 100_000_000 }),
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        // Lengths with a prefix of one byte and of two bytes.
        fc.integer({ min: 0, max: 250 }),
        (sequence, feeDrops, bytes, padding) => {
          const fileHash = Buffer.from(bytes).toString('hex');
          const own = proofMemo({ fileHash, hashScheme: 'hmac-sha256-nonce-v3' });
          const memo = { ...own, data: own.data + ' '.repeat(padding) };
          const lastLedgerSequence = sequence + 8;
          const mine = signAnchor({ sequence, feeDrops, lastLedgerSequence, memo }, signer);
          const theirs: AccountSet = {
            TransactionType: 'AccountSet',
            Account: wallet.address,
            Sequence: sequence,
            Fee: String(feeDrops),
            LastLedgerSequence: lastLedgerSequence,
            Memos: [
              {
                Memo: {
                  MemoType: hex(memo.type),
                  MemoFormat: hex(memo.format),
                  MemoData: hex(memo.data),
                },
              },
            ],
          };
          const { tx_blob, hash } = wallet.sign(theirs);
          return mine.blob === tx_blob && mine.hash === hash;
        },
      ),
      { numRuns: 50 },
    );
    const noOp = { sequence: 7, feeDrops: 10, lastLedgerSequence: 15, memo: null };
    const theirs: AccountSet = {
      TransactionType: 'AccountSet',
      Account: wallet.address,
      Sequence: 7,
      Fee: '10',
      LastLedgerSequence: 15,
    };
    t.equal(signAnchor(noOp, signer).blob, wallet.sign(theirs).tx_blob, 'without a memo');
  }
});

test('a regular key signs for the named account', async (t) => {
  const [account, regular] = [Wallet.generate(), Wallet.generate()];
  const signer = createSeedSigner(regular.seed ?? '', account.address);
  const { blob } = signAnchor(
    { sequence: 1, feeDrops: 10, lastLedgerSequence: 9, memo: null },
    signer,
  );
  t.strictSame(readTransaction(blob), { account: account.address, sequence: 1, memos: [] });
});

test('a signer shows its address and nothing of its key', async (t) => {
  const wallet = Wallet.generate();
  const signer = createSeedSigner(wallet.seed ?? '');
  const shown =
    inspect(signer, { depth: 9, showHidden: true }) + JSON.stringify(signer) + String(signer);
  t.match(shown, wallet.address);
  t.notMatch(shown, wallet.seed ?? '');
  t.notMatch(shown, wallet.privateKey.slice(2));
});

test('the transaction tree has the root computed by the xrpl library', async (t) => {
  const wallet = Wallet.generate();
  const metadata = {
    AffectedNodes: [],
    TransactionIndex: 0,
    TransactionResult: 'tesSUCCESS',
  };
  for (const count of [0, 1, 2, 17, 200]) {
    const transactions = Array.from({ length: count }, (_, index) => {
      const tx: AccountSet = {
        TransactionType: 'AccountSet',
        Account: wallet.address,
        Sequence: index + 1,
        Fee: '10',
        Memos: [
          {
            Memo: {
              MemoData: createHash('sha512')
                .update(String(index))
                .digest('hex')
                .repeat(index % 5 || 1),
            },
          },
        ],
      };
      const { tx_blob, hash } = wallet.sign(tx);
      return { blob: tx_blob, hash };
    });
    const metaBlob = encode(metadata);
    const mine = transactionTreeHash(
      transactions.map(({ blob, hash }) => ({
        hash: Buffer.from(hash, 'hex'),
        blob: Buffer.from(blob, 'hex'),
        metadata: Buffer.from(metaBlob, 'hex'),
      })),
    );
    const theirs = hashes.hashTxTree(
      transactions.map(({ blob }) => ({ ...decode(blob), metaData: metadata })) as never,
    );
    t.equal(mine, theirs, `${count} transactions`);
  }
});
