import type { HashScheme } from '../../../../domain/proof/hash-scheme.ts';
import type { CertificateContent } from '../../../certificate-content.ts';

/**
 * Texts that differ between template versions. The code that draws them has all others, which are
 * part of every version. A text of an issued version never changes.
 */
export interface Wording {
  readonly title: string;
  /** The statement of the certificate, below its title. */
  lede(content: CertificateContent): string;
  readonly attachmentDescription: string;
  readonly facts: {
    readonly labels: { readonly file: string; readonly time: string; readonly ledger: string };
    readonly unnamedFile: string;
    /** For a file of which only the SHA-256 was submitted. */
    readonly hashAlone: string;
    ledger(content: CertificateContent, title: string): LedgerFact;
  };
  readonly warnings: {
    readonly confidential: Warning;
    readonly testNetwork: Warning;
    readonly development: Warning;
  };
  readonly evidence: {
    readonly labels: {
      readonly scheme: string;
      readonly transaction: string;
      readonly ledgerIndex: string;
      readonly previousRevision: string;
      readonly proofId: string;
    };
    readonly schemes: Readonly<Record<HashScheme, string>>;
    /** Note below a value that is cut off. */
    readonly shortened: string;
  };
  readonly guide: GuideWording;
}

/** The ledger as a key fact: one line in large type, and a note. */
interface LedgerFact {
  readonly fact: string;
  readonly note: string;
}

/** Fact that a holder must know before relying on the certificate or passing it on. */
export interface Warning {
  readonly title: string;
  readonly text: string;
}

interface GuideWording {
  readonly introduction: string;
  readonly hash: StepWording;
  /** Text of the step that computes the commitment. */
  readonly commitment: string;
  readonly ledger: {
    readonly title: string;
    text(content: CertificateContent): string;
    readonly labels: { readonly memo: string; readonly service: string; readonly server: string };
  };
  readonly program: StepWording;
  readonly limits: string;
}

interface StepWording {
  readonly title: string;
  readonly text: string;
}
