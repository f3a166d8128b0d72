import type { Network } from '../domain/network.ts';
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
}
