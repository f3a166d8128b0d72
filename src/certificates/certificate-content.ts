import type { Network } from '../domain/network.ts';
import type { VerifierFile } from '../domain/proof/certificate-inputs.ts';
import type { HashScheme } from '../domain/proof/hash-scheme.ts';
import type { TemplateVersion } from '../domain/proof/template-version.ts';

/** Content of a certificate, fixed when the certificate is issued. */
export interface CertificateContent {
  readonly templateVersion: TemplateVersion;
  readonly proofId: string;
  /** ISO 8601. */
  readonly issuedAt: string;
  /** Untrusted. Null for a hash-only proof without a name. */
  readonly fileName: string | null;
  readonly fileSizeBytes: number | null;
  readonly mimeType: string | null;
  /** Untrusted. Null in certificates of templates 1 and 2, which do not show it. */
  readonly description: string | null;
  /** Untrusted JSON; null without one, and in certificates of templates 1 and 2. */
  readonly classification: string | null;
  /** SHA-256 of the file, lower-case hex. */
  readonly fileHash: string;
  readonly hashScheme: HashScheme;
  /** Lower-case hex; null for the plain scheme. */
  readonly commitment: string | null;
  /** Lower-case hex; null for the plain scheme. Confidential. */
  readonly nonce: string | null;
  readonly network: Network;
  /** True for a development ledger, which anybody can start and nobody else keeps. */
  readonly standalone: boolean;
  readonly transactionHash: string;
  readonly ledgerIndex: number;
  readonly ledgerHash: string;
  /** Close time, rounded by the ledger. */
  readonly closeTimeIso: string;
  /** Anchoring account. */
  readonly account: string;
  readonly organisationName: string;
  readonly workspaceName: string;
  /** Revision number of a stored document. */
  readonly revision: number | null;
  readonly previousTransactionHash: string | null;
  /** As `explorerUrl`; in certificates without `verifyPageUrl` the page of the service. */
  readonly verifyUrl: string;
  /** PUBLIC_URL/verify/{transactionHash}, encoded in the QR code. */
  readonly verifyPageUrl: string | null;
  /** PUBLIC_URL/api/public/verify/{transactionHash}. */
  readonly publicApiUrl: string;
  readonly explorerUrl: string;
  /** The verifier for download; null in certificates of templates 1 and 2, which do not name it. */
  readonly verifier: VerifierFile | null;
  readonly evidence: EvidenceSummary;
}

/** Evidence in the bundle that the pages name. */
export interface EvidenceSummary {
  /** Place of the anchoring in the log, and the checkpoint that includes it; null without a log. */
  readonly log: {
    /** Name of the log. */
    readonly origin: string;
    readonly leafIndex: number;
    readonly size: number;
    /** Base64, as in the checkpoint. */
    readonly root: string;
  } | null;
  /** Number of validators whose signatures are in the bundle; null without them. */
  readonly validators: number | null;
  /** Time of the token, ISO 8601; null without a token. */
  readonly stampedAt: string | null;
  /** Name and id of the issuer's key that signed the bundle, `NAME+ID`; null without a signature. */
  readonly issuerKey: string | null;
}
