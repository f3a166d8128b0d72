import { encodeForSigning } from 'ripple-binary-codec';
import { generateSeed } from 'ripple-keypairs';
import { test } from 'tap';
import { ECDSA, type SubmittableTransaction, Wallet } from 'xrpl';
import { checkpointMemo } from '../../src/domain/log/checkpoint-memo.ts';
import { proofMemo } from '../../src/domain/proof/memo.ts';
import { signAnchors } from '../../src/ledger/anchor-transaction.ts';
import { createSeedSigner } from '../../src/ledger/signer.ts';
import { reasonAgainst, type SigningTerms } from '../../src/signing/reason-against.ts';

const account = createSeedSigner(generateSeed());
const other = createSeedSigner(generateSeed());
const terms: SigningTerms = { account, purpose: 'proofs', maxFeeDrops: 1_000 };
const fileHash = 'a'.repeat(64);
const proof = proofMemo({ fileHash, hashScheme: 'hmac-sha256-nonce-v3' });
const checkpoint = checkpointMemo({ origin: 'log/1', size: 3, rootHash: 'b'.repeat(64) });
/** Of the longest LOG_ORIGIN, in the second epoch. */
const longOrigin = `${'x'.repeat(200)}/01BX5ZZKBKACTAV9WEVGEMMVRZ/2`;
const longest = checkpointMemo({ origin: longOrigin, size: 3, rootHash: 'b'.repeat(64) });

/** The messages that a signer is asked to sign. */
async function messagesOf(
  ...transactions: Parameters<typeof signAnchors>[0]
): Promise<readonly Buffer[]> {
  const messages: Buffer[] = [];
  const recording = {
    ...account,
    sign: async (given: readonly Buffer[]) => {
      messages.push(...given);
      return account.sign(given);
    },
  };
  await signAnchors(transactions, recording);
  return messages;
}
const draft = { sequence: 7, feeDrops: 10, lastLedgerSequence: 20, memo: proof };

test('anchors, gap fills and checkpoints may be signed, each by its account', async (t) => {
  const [anchor, revision, gapFill, mark, longMark] = (await messagesOf(
    draft,
    {
      ...draft,
      memo: proofMemo({ fileHash, hashScheme: 'sha256-plain-v1', previous: 'C'.repeat(64) }),
    },
    { ...draft, memo: null, feeDrops: 1_000 },
    { ...draft, memo: checkpoint },
    { ...draft, memo: longest },
  )) as [Buffer, Buffer, Buffer, Buffer, Buffer];
  for (const message of [anchor, revision, gapFill]) t.equal(reasonAgainst(message, terms), null);
  const ofCheckpoints = { ...terms, purpose: 'checkpoints' } as const;
  for (const message of [mark, longMark, gapFill])
    t.equal(reasonAgainst(message, ofCheckpoints), null);
  t.match(reasonAgainst(mark, terms), /its memo is not one of proofs/);
  t.match(reasonAgainst(anchor, ofCheckpoints), /its memo is not one of checkpoints/);
  t.match(reasonAgainst(anchor, { ...terms, account: other }), /it is of account/);
});

test('a higher fee than permitted is refused', async (t) => {
  const [high] = (await messagesOf({ ...draft, feeDrops: 1_001 })) as [Buffer];
  t.match(reasonAgainst(high, terms), /its fee of 1001 drops is more than MAX_FEE_DROPS/);
});

test('nothing else that an account could sign is signed', async (t) => {
  const base = {
    Account: account.address,
    Fee: '10',
    Sequence: 7,
    LastLedgerSequence: 20,
    SigningPubKey: account.publicKey,
  } as const;
  const set = { ...base, TransactionType: 'AccountSet' } as const;
  const memo = {
    Memo: { MemoType: hex(proof.type), MemoData: hex(proof.data), MemoFormat: hex(proof.format) },
  };
  const { address } = Wallet.generate(ECDSA.secp256k1);
  const refused: Readonly<Record<string, object>> = {
    payment: { ...base, TransactionType: 'Payment', Destination: address, Amount: '1' },
    'regular key': { ...base, TransactionType: 'SetRegularKey', RegularKey: address },
    deletion: { ...base, TransactionType: 'AccountDelete', Destination: address },
    'signer list': {
      ...base,
      TransactionType: 'SignerListSet',
      SignerQuorum: 1,
      SignerEntries: [{ SignerEntry: { Account: address, SignerWeight: 1 } }],
    },
    'flag that disables the master key': { ...set, SetFlag: 4, Memos: [memo] },
    domain: { ...set, Domain: '61', Memos: [memo] },
    flags: { ...set, Flags: 0x0010_0000, Memos: [memo] },
    ticket: { ...set, Sequence: 0, TicketSequence: 9, Memos: [memo] },
    delegate: { ...set, Delegate: address, Memos: [memo] },
    'two memos': { ...set, Memos: [memo, memo] },
    'foreign memo': { ...set, Memos: [{ Memo: { MemoData: hex('any text') } }] },
    'no last ledger': { ...set, LastLedgerSequence: undefined, Memos: [memo] },
    'another key': { ...set, SigningPubKey: other.publicKey, Memos: [memo] },
    'unusual order of a memo': {
      ...set,
      Memos: [{ Memo: { ...memo.Memo, MemoData: hex(`${proof.data} `) } }],
    },
  };
  for (const [name, transaction] of Object.entries(refused)) {
    const message = encodeForSigning(transaction as unknown as SubmittableTransaction);
    t.type(reasonAgainst(Buffer.from(message, 'hex'), terms), 'string', name);
  }
  const plain = encodeForSigning({ ...set, Memos: [memo] });
  t.equal(reasonAgainst(Buffer.from(plain, 'hex'), terms), null, 'the same without it');
});

test('the account of checkpoints signs checkpoints only', async (t) => {
  const ofCheckpoints = { ...terms, purpose: 'checkpoints' } as const;
  for (const memo of [
    { ...checkpoint, format: 'text/plain' },
    checkpointMemo({ origin: 'x'.repeat(301), size: 3, rootHash: 'b'.repeat(64) }),
    checkpointMemo({ origin: { a: 1 } as unknown as string, size: 3, rootHash: 'b'.repeat(64) }),
    { ...checkpoint, data: `${checkpoint.data} ` },
  ]) {
    const [message] = (await messagesOf({ ...draft, memo })) as [Buffer];
    t.match(reasonAgainst(message, ofCheckpoints), /its memo is not one of checkpoints/, memo.data);
  }
});

test('what is no transaction is refused', async (t) => {
  const [anchor, gapFill] = (await messagesOf(draft, { ...draft, memo: null })) as [Buffer, Buffer];
  for (const message of [
    // An empty array Memos, and one whose object is no Memo.
    Buffer.concat([gapFill, Buffer.from('F9F1', 'hex')]),
    Buffer.concat([gapFill, Buffer.from('F9E010E1F1', 'hex')]),
    Buffer.alloc(0),
    Buffer.from('STX\0'),
    anchor.subarray(4),
    anchor.subarray(0, -1),
    Buffer.concat([anchor, Buffer.from([0])]),
    Buffer.concat([Buffer.from('SMT\0'), anchor.subarray(4)]),
    Buffer.concat([Buffer.from('MAN\0'), anchor.subarray(4)]),
    Buffer.alloc(2_000, 0xff),
  ]) {
    t.type(reasonAgainst(message, terms), 'string', message.toString('hex', 0, 12));
  }
});

function hex(text: string): string {
  return Buffer.from(text).toString('hex').toUpperCase();
}
