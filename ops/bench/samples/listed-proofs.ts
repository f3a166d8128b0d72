import type { BlobKey } from '../../../src/domain/blob/blob-key.ts';
import type { DomainEvent } from '../../../src/domain/events.ts';
import { streams } from '../../../src/domain/streams.ts';
import type { DocumentId, OrganisationId, ProofId, WorkspaceId } from '../../../src/domain/ulid.ts';
import { newUlid } from '../../../src/event-store/new-ulid.ts';
import { anchorEvents } from './anchor-events.ts';
import { syntheticDigest } from './synthetic-digest.ts';
import { createWording, type Wording } from './wording.ts';

export interface ListedOrganisation {
  readonly organisationId: OrganisationId;
  readonly workspaceIds: readonly WorkspaceId[];
}

/** An organisation with five workspaces. */
export function newOrganisation(): ListedOrganisation {
  const workspaceIds = Array.from({ length: 5 }, () => newUlid() as WorkspaceId);
  return { organisationId: newUlid() as OrganisationId, workspaceIds };
}

/** Events of one proof in the order of the log, limited to those that lists need. */
export interface ListedProof {
  readonly proofId: ProofId;
  readonly stream: string;
  readonly events: readonly DomainEvent[];
}

/**
 * Proofs of a typical large organisation: two fifths with their file; all but one in a hundred
 * completed, or all of them. The same seed gives the same proofs.
 */
export function createListedProofs(
  { organisationId, workspaceIds }: ListedOrganisation,
  seed: number,
  { allCompleted = false } = {},
): (index: number) => ListedProof {
  const wording = createWording(seed);
  return (index) => {
    const proofId = idOf<ProofId>('P', seed, index);
    const workspaceId = workspaceIds[index % workspaceIds.length] as WorkspaceId;
    const file = describeFile(wording, index);
    const ids = { proofId, organisationId, workspaceId };
    const isDocument = index % 5 < 2;
    const documentId = idOf<DocumentId>('D', seed, index);
    const proven = {
      rootDocumentId: documentId,
      documentId,
      previousProofId: null,
      unitMonth: '2026-01',
    };
    const requested: DomainEvent = {
      type: 'ProofRequested',
      data: {
        ...ids,
        ...file,
        network: 'testnet',
        hashScheme: 'hmac-sha256-nonce-v3',
        commitment: syntheticDigest(`commitment ${seed} ${index}`),
        nonce: null,
        metadata: null,
        recordsDelivery: false,
        document: isDocument ? proven : null,
      },
    };
    const stored: DomainEvent = {
      type: 'DocumentStored',
      data: {
        ...ids,
        ...file,
        documentId,
        blobKey: `${organisationId}/${idOf('B', seed, index)}` as BlobKey,
        classification:
          index % 10 === 0 ? { runId: `run-${index % 1_000}`, kind: 'invoice' } : null,
        unitMonth: '2026-01',
      },
    };
    return {
      proofId,
      stream: streams.proof(proofId),
      events: [requested, ...(isDocument ? [stored] : []), ...settled(seed, index, allCompleted)],
    };
  };
}

function describeFile(wording: Wording, index: number) {
  const { fileName, description } = wording(index);
  return {
    fileName,
    description,
    fileHash: syntheticDigest(`file ${fileName} ${index}`),
    fileSizeBytes: 10_000 + index,
    mimeType: 'application/pdf',
  };
}

function settled(seed: number, index: number, isCompleted: boolean): DomainEvent[] {
  const transactionHash = syntheticDigest(`transaction ${seed} ${index}`).toUpperCase();
  const { prepared, anchored } = anchorEvents(transactionHash, 100 + index);
  if (isCompleted) return [prepared, anchored];
  if (index % 200 === 1) return [];
  return index % 200 === 2 ? [prepared] : [prepared, anchored];
}

function idOf<Id extends string>(kind: 'P' | 'D' | 'B', seed: number, index: number): Id {
  const count = String(index).padStart(7, '0');
  return `01M${count}${String(seed).padStart(4, '0')}${count.padStart(10, '0')}${kind}0` as Id;
}
