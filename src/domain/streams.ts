import type { DocumentId, KeyId, OrganisationId, ProofId, WebhookId, WorkspaceId } from './ulid.ts';

/**
 * Names of the streams. A confidential value enters a name only as its index: the HMAC under the
 * organisation's index key that the event store computes.
 */
export const streams = {
  proof: (proofId: ProofId) => `proof-${proofId}`,
  hash: (workspaceId: WorkspaceId, indexedDigest: string) => `hash-${workspaceId}-${indexedDigest}`,
  document: (rootDocumentId: DocumentId) => `document-${rootDocumentId}`,
  /** `month` is YYYY-MM, UTC. */
  allowance: (organisationId: OrganisationId, month: string) =>
    `allowance-${organisationId}-${month}`,
  run: (organisationId: OrganisationId, indexedRunId: string) =>
    `run-${organisationId}-${indexedRunId}`,
  organisation: (organisationId: OrganisationId) => `organisation-${organisationId}`,
  workspace: (workspaceId: WorkspaceId) => `workspace-${workspaceId}`,
  key: (keyId: KeyId) => `key-${keyId}`,
  /** Fence of the number of an organisation's keys. */
  keyPlaces: (organisationId: OrganisationId) => `keys-${organisationId}`,
  webhook: (webhookId: WebhookId) => `webhook-${webhookId}`,
  /** The fence of how many endpoints an organisation has. */
  webhookPlaces: (organisationId: OrganisationId) => `webhooks-${organisationId}`,
  account: (ledgerId: string, address: string) => `account-${ledgerId}-${address}`,
  ledger: (ledgerId: string) => `ledger-${ledgerId}`,
  log: (logId: string) => `log-${logId}`,
} as const;

/** The proof whose stream this is, or null if it is another kind of stream. */
export function proofOfStream(stream: string): ProofId | null {
  return stream.startsWith('proof-') ? (stream.slice('proof-'.length) as ProofId) : null;
}
