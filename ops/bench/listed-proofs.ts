import { createHash } from 'node:crypto';
import type { DocumentsEvent } from '../../projections/documents/fold.ts';
import type { BlobKey } from '../../src/domain/blob/blob-key.ts';
import type { DomainEvent } from '../../src/domain/events.ts';
import type { Digest } from '../../src/domain/proof/digest.ts';
import { streams } from '../../src/domain/streams.ts';
import type { DocumentId, OrganisationId, ProofId, WorkspaceId } from '../../src/domain/ulid.ts';
import { createWording, type Wording } from './wording.ts';

export interface ListedOrganisation {
  readonly organisationId: OrganisationId;
  readonly workspaceIds: readonly WorkspaceId[];
}

/** The events of one proof in the order of the log, as far as lists are made of them. */
export interface ListedProof {
  readonly proofId: ProofId;
  readonly stream: string;
  readonly events: readonly DomainEvent[];
}

/**
 * Proofs as a large organisation has them: two fifths with their file; all but one in a hundred
 * completed. The same seed gives the same ones.
 */
export function createListedProofs(
  { organisationId, workspaceIds }: ListedOrganisation,
  seed: number,
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
        commitment: digestOf(`commitment ${seed} ${index}`),
        nonce: null,
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
      events: [requested, ...(isDocument ? [stored] : []), ...settled(seed, index)],
    };
  };
}

/** The same as read back from the log. */
export function asStored(
  proofs: readonly ListedProof[],
  organisationId: OrganisationId,
  firstPosition: number,
): DocumentsEvent[] {
  let position = firstPosition;
  return proofs.flatMap(({ stream, events }) =>
    events.map((event, index) => {
      position += 1;
      const recordedAt = new Date(Date.UTC(2026, 0, 1) + position * 10).toISOString();
      const place = { position, organisationId, stream, version: index + 1, eventId: 'E' };
      return { ...event, ...place, recordedAt, meta: {} } as DocumentsEvent;
    }),
  );
}

function describeFile(wording: Wording, index: number) {
  const { fileName, description } = wording(index);
  return {
    fileName,
    description,
    fileHash: digestOf(`file ${fileName} ${index}`),
    fileSizeBytes: 10_000 + index,
    mimeType: 'application/pdf',
  };
}

function settled(seed: number, index: number): DomainEvent[] {
  const transactionHash = digestOf(`transaction ${seed} ${index}`).toUpperCase();
  const ledgerId = '1-4D5F0D1E2C3B4A59687786A5B4C3D2E1F00112233445566778899AABBCCDDEE';
  const prepared: DomainEvent = {
    type: 'AnchorPrepared',
    data: {
      ...{ ledgerId, transactionHash, blob: '', hashScheme: 'hmac-sha256-nonce-v3' },
      ...{ previousTransactionHash: null, account: 'rA', sequence: 1, feeDrops: 10 },
      ...{ minLedger: 1, lastLedgerSequence: 9 },
    },
  };
  const anchored: DomainEvent = {
    type: 'Anchored',
    data: {
      ...{ ledgerId, transactionHash, ledgerIndex: 100 + index, ledgerHash: '', closeTime: 1 },
      closeTimeIso: '2026-01-01T00:00:10.000Z',
      ...{ transactionIndex: 0, metadata: '', ledgerHeader: '' },
    },
  };
  if (index % 200 === 1) return [];
  return index % 200 === 2 ? [prepared] : [prepared, anchored];
}

function digestOf(text: string): Digest {
  return createHash('sha256').update(text).digest('hex') as Digest;
}

function idOf<Id extends string>(kind: 'P' | 'D' | 'B', seed: number, index: number): Id {
  const count = String(index).padStart(7, '0');
  return `01M${count}${String(seed).padStart(4, '0')}${count.padStart(10, '0')}${kind}0` as Id;
}
