import type { LogAnswer } from './ask-log.js';
import type { Step } from './step.ts';
import type { Validators } from './verification.ts';

/** Results of verifying the signatures in a bundle, and its place in the issuer's log. */
export interface Checked {
  steps: Step[];
  /** Word of the ledger's validators. */
  validators: Validators | null;
  /**
   * The time that a token for the proof states; null in it if the token is not for the proof. Null
   * without a token.
   */
  timestamp: { time: string | null } | null;
}

/**
 * A PDF, and what its issuer's log says about its bytes. `elsewhere`: another service issued it, which
 * this page does not ask.
 */
export interface IssuedPdf {
  /** SHA-256 of the PDF, lower-case hex. */
  pdf: string;
  answer: LogAnswer<unknown> | { found: 'elsewhere'; host: string };
}

/** Keys that this service publishes as its own. They verify a signature on the word of this service alone. */
export interface ServiceKeys {
  /** Keys of its log, `NAME+ID+KEY`. */
  log: readonly string[];
  /** Keys of its issuer. */
  issuer: readonly { key: string; compromisedSince: string | null }[];
}
