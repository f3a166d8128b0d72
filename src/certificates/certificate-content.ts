import type { Network } from '../domain/network.ts';
import type { HashScheme } from '../domain/proof/hash-scheme.ts';

/** Everything that a certificate shows or holds; all of it is fixed when it is issued. */
export interface CertificateContent {
  readonly templateVersion: 1;
  readonly proofId: string;
  /** ISO 8601. */
  readonly issuedAt: string;
  /** Hash-only proofs may have none. Untrusted. */
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
  /** The development ledger, which anybody can start and nobody else keeps. */
  readonly standalone: boolean;
  readonly transactionHash: string;
  readonly ledgerIndex: number;
  readonly ledgerHash: string;
  /** The ledger's close time, which the ledger rounds. */
  readonly closeTimeIso: string;
  /** The account that anchored. */
  readonly account: string;
  readonly organisationName: string;
  readonly workspaceName: string;
  /** Of a stored document. */
  readonly revision: number | null;
  readonly previousTransactionHash: string | null;
  /** PUBLIC_URL/verify/{transactionHash}: what the QR code holds. */
  readonly verifyUrl: string;
  /** PUBLIC_URL/api/public/verify/{transactionHash}. */
  readonly publicApiUrl: string;
  readonly explorerUrl: string;
}
