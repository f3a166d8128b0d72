import type { Checked } from './checked-evidence.ts';
import type { Link } from './follow-chain.js';
import type { Item } from './given-file.ts';
import type { Given } from './verdict.ts';
import type { Answer } from './verification.ts';

/** All input, and look-ups of data derived from it. */
export interface Findings {
  items: readonly Item[];
  /** Hash of a transaction. */
  typedHash: string | null;
  typedNonce: string | null;
  /** Null before an answer. */
  answerTo: (transactionHash: string) => Answer | null;
  /** The ledger server that the reader named. */
  server?: string | null;
  /** The answer of that server; null before it. */
  namedAnswerTo?: (transactionHash: string) => Answer | null;
  /**
   * Results for the signatures in a certificate, and for its bytes; null before them, `missing`
   * without the verifier.
   */
  checksOf?: (item: Item) => Checked | 'missing' | null;
  /** The earlier revisions that have been looked up; null before the first look-up. */
  chainOf: (transactionHash: string) => { links: readonly Link[]; isFollowing: boolean } | null;
  /** Null until computed. */
  commitmentOf: (nonce: string, fileHash: string) => string | null;
}

/** A certificate, or the typed transaction, with its files. */
export interface Proof {
  /** The certificate; null for the typed transaction. */
  item: Item | null;
  given: Given | null;
  transactionHash: string;
  /** Files with the same bytes. */
  files: readonly Item[];
}

/** `loose`: without a proof. */
export interface Matches {
  proofs: readonly Proof[];
  loose: readonly Item[];
}
