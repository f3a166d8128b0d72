import type { BlobKey } from '../blob/blob-key.ts';
import type { DefinitionsOf, EventOf } from '../event.ts';
import type { Digest } from '../proof/digest.ts';
import type { DocumentId, OrganisationId, ProofId, WorkspaceId } from '../ulid.ts';
import type { Classification } from './classification.ts';

/**
 * One stored file with its uploader's description. Its bytes are at `blobKey`, on stable storage
 * before the event was appended. `unitMonth` (YYYY-MM, UTC) is the month whose allowance was
 * charged; null if the file cost nothing. `classification` applies to this file, even if inherited.
 */
interface StoredFile {
  readonly documentId: DocumentId;
  readonly organisationId: OrganisationId;
  readonly workspaceId: WorkspaceId;
  readonly proofId: ProofId;
  readonly blobKey: BlobKey;
  readonly fileHash: Digest;
  readonly fileName: string;
  readonly fileSizeBytes: number;
  readonly mimeType: string;
  readonly description: string | null;
  readonly classification: Classification | null;
  readonly unitMonth: string | null;
}

/** The first upload of a document: revision 1. Its id is the id of the chain. */
export type DocumentStored = EventOf<'DocumentStored', StoredFile>;

/**
 * A further revision. `previousDocumentId` is the latest revision before it; `revision` counts from
 * 2.
 */
type RevisionChained = EventOf<
  'RevisionChained',
  StoredFile & {
    readonly rootDocumentId: DocumentId;
    readonly previousDocumentId: DocumentId;
    readonly revision: number;
  }
>;

export type DocumentEvent = DocumentStored | RevisionChained;

const facts = [
  'documentId',
  'organisationId',
  'workspaceId',
  'proofId',
  'blobKey',
  'fileSizeBytes',
  'unitMonth',
] as const;

export const documentEvents: DefinitionsOf<DocumentEvent> = {
  DocumentStored: { schema: 1, clear: facts },
  RevisionChained: {
    schema: 1,
    clear: [...facts, 'rootDocumentId', 'previousDocumentId', 'revision'],
  },
};
