import type { Certificate } from './certificate.js';
import type { Item } from './given-file.ts';
import type { Step } from './step.ts';
import type { Answer, Validators, Verification } from './verification.ts';

/** The verdict on a proof with its files, or on a file without a proof. */
export interface Card {
  /** Stable identifier of the subject of the verdict. */
  key: string;
  certificate: Item | null;
  files: readonly Item[];
  transactionHash: string | null;
  judgement: Judgement;
  verification: Verification | null;
}

export interface Judgement {
  kind: Kind;
  /** Key of the verdict's text. */
  text: string;
  /** Values for the text. */
  values: Record<string, string | number>;
  /** True if another request may help. */
  canRetry: boolean;
  steps: Step[];
  basis: Basis;
}

/**
 * `trial`: every step holds, but on a ledger that proves nothing. `partial`: proven in part only, or
 * on the word of the service alone. `open`: information is still missing. `unknown`: information is
 * unavailable.
 */
export type Kind = 'proven' | 'trial' | 'partial' | 'disproven' | 'unknown' | 'open';

/**
 * The party on whose word the ledger's content rests: this service alone, the ledger server that the
 * reader named, or the ledger's validators. Null for a verdict that rests on nobody's word.
 */
export type Basis = 'service' | 'server' | 'validators' | null;

/** Everything known so far about one proof. */
export interface Facts {
  /** SHA-256 of the proof's file. */
  fileHash: string | null;
  /** The certificate; null for a typed transaction hash. */
  given: Given | null;
  transactionHash: string;
  /** Null before the ledger has answered. */
  answer: Answer | null;
  /** From nonce and file hash; null if either is missing. */
  commitment: string | null;
  /**
   * Given files that do not belong to the proof: none, others, files that need a nonce to compare,
   * or the name of an earlier revision.
   */
  besides: 'none' | 'others' | 'locked' | { earlier: string };
  /** Answer of the ledger server that the reader named. */
  server?: Step | null;
  /** True while a file is read that may belong to the proof. */
  isBusy: boolean;
}

/** A given certificate with its file format. */
export interface Given {
  certificate: Certificate;
  isConsistent: boolean;
  /** True until its signatures are verified. */
  isChecking?: boolean;
  /** Word of the ledger's validators. */
  validators?: Validators | null;
  /** Time of its time-stamp token. */
  timestamp?: { time: string | null } | null;
  /**
   * Results for its signatures and its place in the log; null if the verifier of signatures could not
   * be loaded, so that nothing is proven.
   */
  checks?: readonly Step[] | null;
  form: 'pdf' | 'json' | null;
}
