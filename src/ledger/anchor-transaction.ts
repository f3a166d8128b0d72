import { decode } from 'ripple-binary-codec';
import type { LedgerMemo } from '../domain/proof/memo.ts';
import { EncodedAnchor } from './encode-anchor.ts';
import { hashOfTransaction } from './sha512-half.ts';
import type { SeedSigner, Signer, SigningAccount } from './signer.ts';
import { SignerUnavailable } from './signer-unavailable.ts';

/** An AccountSet without options, which changes nothing. It carries a memo, or none as a no-op. */
export interface AnchorTransaction {
  readonly sequence: number;
  readonly feeDrops: number;
  readonly lastLedgerSequence: number;
  readonly memo: LedgerMemo | null;
}

export interface SignedBlob {
  /** Upper-case hex. */
  readonly blob: string;
  readonly hash: string;
}

/**
 * Signs the transactions for the signer's account; nothing is sent. Resolves in their order.
 * Rejects with `SignerUnavailable`.
 */
export async function signAnchors(
  transactions: readonly AnchorTransaction[],
  signer: Signer,
): Promise<readonly SignedBlob[]> {
  if (transactions.length === 0) return [];
  const encoded = transactions.map((transaction) => encode(transaction, signer));
  const signatures = await signer.sign(encoded.map((each) => each.forSigning()));
  return encoded.map((each, index) => {
    const signature = signatures[index];
    if (!signature) throw new SignerUnavailable('the signer left out a signature');
    return signedBlob(each, signature);
  });
}

/** The same for one transaction, with a key in this process. */
export function signAnchor(transaction: AnchorTransaction, signer: SeedSigner): SignedBlob {
  const encoded = encode(transaction, signer);
  return signedBlob(encoded, signer.signNow(encoded.forSigning()));
}

function encode(
  transaction: AnchorTransaction,
  { accountId, publicKey }: SigningAccount,
): EncodedAnchor {
  return new EncodedAnchor({ ...transaction, accountId, publicKey });
}

function signedBlob(encoded: EncodedAnchor, signature: string): SignedBlob {
  const blob = encoded.signed(signature);
  return { blob: blob.toString('hex').toUpperCase(), hash: hashOfTransaction(blob) };
}

/** Account, Sequence and memos of a signed transaction. Throws if the blob is no transaction. */
export function readTransaction(blob: string): {
  readonly account: string;
  readonly sequence: number;
  readonly memos: readonly LedgerMemo[];
} {
  const { Account, Sequence, Memos } = decode(blob) as unknown as {
    Account: string;
    Sequence: number;
    Memos?: RawMemos;
  };
  return { account: Account, sequence: Sequence, memos: readMemos(Memos) };
}

/** The memos of a transaction, as servers return them. */
export type RawMemos = readonly {
  readonly Memo: {
    readonly MemoType?: string;
    readonly MemoFormat?: string;
    readonly MemoData?: string;
  };
}[];

/** Decodes each memo's fields from hex; an absent field becomes an empty text. */
export function readMemos(memos: RawMemos | undefined): readonly LedgerMemo[] {
  return (memos ?? []).map(({ Memo }) => ({
    type: fromHex(Memo.MemoType),
    format: fromHex(Memo.MemoFormat),
    data: fromHex(Memo.MemoData),
  }));
}

function fromHex(hex: string | undefined): string {
  return Buffer.from(hex ?? '', 'hex').toString('utf8');
}
