import type { Certificate } from './certificate.js';
import type { ShownValue } from './value-row.js';

/** One step of the verification, with its outcome. */
export interface Step {
  name: ProofStepName | EvidenceStepName | LogStepName;
  /**
   * `noted` is true but no proof alone, such as a certificate's consistency. `stated` holds on the
   * word of the service alone. `claimed` cannot be checked. `notChecked` could be checked with more
   * knowledge, such as a key. `none`: there is nothing to check.
   */
  status:
    | 'ok'
    | 'failed'
    | 'open'
    | 'unknown'
    | 'noted'
    | 'stated'
    | 'claimed'
    | 'notChecked'
    | 'none';
  /** Key of the outcome's text. */
  text: string;
  /** Values for the text. */
  with?: Record<string, string | number>;
  /** For people to compare and copy. */
  values?: ShownValue[];
  /** The certificate whose statements cannot be checked. */
  claims?: Certificate;
}

export type Outcome = Omit<Step, 'name'>;

type ProofStepName =
  | 'file'
  | 'commitment'
  | 'ledger'
  | 'account'
  | 'time'
  | 'certificate'
  | 'timestamp'
  | 'statements'
  | 'pages'
  | 'revision'
  | 'server';

/** Steps about the signatures in a bundle, and about its place in the issuer's log. */
export type EvidenceStepName =
  | 'txSignature'
  | 'logEntry'
  | 'logCheckpoint'
  | 'logQuorum'
  | 'issued';

/** Steps about a checkpoint or an entry of the log, and about the issuer's signature. */
export type LogStepName =
  | 'logSignature'
  | 'logWitness'
  | 'logAnchor'
  | 'logToken'
  | 'logLeaf'
  | 'logInclusion'
  | 'logProof'
  | 'logHistory'
  | 'issuer';
