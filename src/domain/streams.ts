import type { AccountEvent } from './account/events.ts';
import type { AllowanceEvent } from './allowance/events.ts';
import type { AttestationEvent, ValidatorEvent } from './attestation/events.ts';
import type { CertificateRecorded } from './certificate/events.ts';
import type { DocumentEvent } from './document/events.ts';
import type { HashEvent } from './hash/events.ts';
import type { IssuerEvent } from './issuer/events.ts';
import type { KeyEvent, KeyPlaceEvent } from './key/events.ts';
import type { LedgerEvent } from './ledger/events.ts';
import type { LinkEvent } from './link/events.ts';
import type { LogEvent } from './log/events.ts';
import type { TimestampEvent } from './log/timestamp-events.ts';
import type { Network } from './network.ts';
import type { NonceEvent } from './nonce/events.ts';
import type { OrganisationEvent } from './organisation/events.ts';
import type { PersonEvent } from './person/events.ts';
import type { Digest } from './proof/digest.ts';
import type { ProofEvent } from './proof/events.ts';
import type { VerifierPublished } from './published-verifier/events.ts';
import type { RunEvent } from './run/events.ts';
import type { StorageEvent } from './storage/events.ts';
import type { StreamName } from './stream-name.ts';
import type { DocumentId, KeyId, OrganisationId, ProofId, WebhookId, WorkspaceId } from './ulid.ts';
import type { WebhookEvent, WebhookPlaceEvent, WebhookSendingEvent } from './webhook/events.ts';
import type { WorkspaceEvent, WorkspacePlaceEvent } from './workspace/events.ts';

/**
 * Names of the streams. A confidential value enters a name only as its index: an HMAC under the
 * organisation's index key, computed by the event store.
 */
export const streams = {
  proof: (proofId: ProofId): StreamName<ProofEvent> => named(`proof-${proofId}`),
  /** Delivery of the proof's nonce to a caller. */
  nonce: (proofId: ProofId): StreamName<NonceEvent> => named(`nonce-${proofId}`),
  /** Links by which the proof is shared. */
  links: (proofId: ProofId): StreamName<LinkEvent> => named(`links-${proofId}`),
  hash: (workspaceId: WorkspaceId, indexedDigest: string): StreamName<HashEvent> =>
    named(`hash-${workspaceId}-${indexedDigest}`),
  document: (rootDocumentId: DocumentId): StreamName<DocumentEvent> =>
    named(`document-${rootDocumentId}`),
  /** `month` is YYYY-MM, UTC. */
  allowance: (organisationId: OrganisationId, month: string): StreamName<AllowanceEvent> =>
    named(`allowance-${organisationId}-${month}`),
  /** Storage allowance of the organisation, and fence of its stored bytes. */
  storage: (organisationId: OrganisationId): StreamName<StorageEvent> =>
    named(`storage-${organisationId}`),
  run: (organisationId: OrganisationId, indexedRunId: string): StreamName<RunEvent> =>
    named(`run-${organisationId}-${indexedRunId}`),
  organisation: (organisationId: OrganisationId): StreamName<OrganisationEvent> =>
    named(`organisation-${organisationId}`),
  workspace: (workspaceId: WorkspaceId): StreamName<WorkspaceEvent> =>
    named(`workspace-${workspaceId}`),
  /** Fence of the number of workspaces that owners create. */
  workspacePlaces: (organisationId: OrganisationId): StreamName<WorkspacePlaceEvent> =>
    named(`workspaces-${organisationId}`),
  key: (keyId: KeyId): StreamName<KeyEvent> => named(`key-${keyId}`),
  /** People of an organisation, who use its console. */
  people: (organisationId: OrganisationId): StreamName<PersonEvent> =>
    named(`people-${organisationId}`),
  /** Fence of the number of an organisation's keys. */
  keyPlaces: (organisationId: OrganisationId): StreamName<KeyPlaceEvent> =>
    named(`keys-${organisationId}`),
  webhook: (webhookId: WebhookId): StreamName<WebhookEvent> => named(`webhook-${webhookId}`),
  /** Deliveries to an endpoint that somebody asked for. */
  webhookSendings: (webhookId: WebhookId): StreamName<WebhookSendingEvent> =>
    named(`sendings-${webhookId}`),
  /** Fence of the number of an organisation's endpoints. */
  webhookPlaces: (organisationId: OrganisationId): StreamName<WebhookPlaceEvent> =>
    named(`webhooks-${organisationId}`),
  account: (ledgerId: string, address: string): StreamName<AccountEvent> =>
    named(`account-${ledgerId}-${address}`),
  ledger: (ledgerId: string): StreamName<LedgerEvent> => named(`ledger-${ledgerId}`),
  /** One event at most: the word of the ledger's validators on one of its ledgers. */
  attestation: (ledgerId: string, ledgerIndex: number): StreamName<AttestationEvent> =>
    named(`attestation-${ledgerId}-${ledgerIndex}`),
  /** Lists and manifests of a network's validators. */
  validators: (network: Network): StreamName<ValidatorEvent> => named(`validators-${network}`),
  /** Every verifier (`verify.py`) that the service has served. */
  publishedVerifier: named<VerifierPublished>('published-verifier'),
  log: (logId: string): StreamName<LogEvent> => named(`log-${logId}`),
  /** Keys with which the issuer signs bundles. */
  issuer: (logId: string): StreamName<IssuerEvent> => named(`issuer-${logId}`),
  /** One event: the certificate with this SHA-256 was issued here. */
  certificate: (sha256: Digest): StreamName<CertificateRecorded> => named(`certificate-${sha256}`),
  /** One event at most: the time-stamp token for the checkpoint with this root. */
  timestamp: (logId: string, rootHash: string): StreamName<TimestampEvent> =>
    named(`timestamp-${logId}-${rootHash}`),
} as const;

/** Returns the proof of the stream; null if it is another kind of stream. */
export function proofOfStream(stream: string): ProofId | null {
  return stream.startsWith('proof-') ? (stream.slice('proof-'.length) as ProofId) : null;
}

function named<Event>(name: string): StreamName<Event> {
  return name as StreamName<Event>;
}
