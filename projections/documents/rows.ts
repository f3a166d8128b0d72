import type { KnownProof, Requested, Stored } from './fold.ts';
import { foldText } from './fold-text.ts';
import type { DocumentsTables } from './table.ts';
import { trigramsOf } from './trigrams.ts';

type Details = DocumentsTables['document_details'];
type RequestColumns =
  | 'organisation_id'
  | 'requested_at'
  | 'network'
  | 'hash_scheme'
  | 'commitment'
  | 'file_hash'
  | 'metadata';

/** Columns that describe the file: from its upload, otherwise from the request with the hash. */
export type FileRow = Omit<Details, RequestColumns>;

/** Row for sorting and filtering lists. */
export function documentRow(
  { proofId, organisationId, ordinal, workspaceId, status }: KnownProof,
  file: Pick<FileRow, 'file_name' | 'description'>,
): DocumentsTables['documents'] {
  return {
    proof_id: proofId,
    organisation_id: organisationId,
    ordinal,
    workspace_id: workspaceId,
    status,
    file_name: foldOrNull(file.file_name),
    description: foldOrNull(file.description),
  };
}

export function detailsRow(requested: Requested, stored: Stored | null): Details {
  const { organisationId, network, hashScheme, commitment, fileHash, metadata } = requested.data;
  return {
    ...fileRow(stored ?? requested),
    organisation_id: organisationId,
    requested_at: requested.recordedAt,
    network,
    hash_scheme: hashScheme,
    commitment,
    file_hash: Buffer.from(fileHash, 'hex'),
    metadata: metadata === null ? null : JSON.stringify(metadata),
  };
}

export function fileRow(event: Requested | Stored): FileRow {
  const { proofId, organisationId, fileName, description } = event.data;
  const texts = [fileName, description].flatMap((text) => (text === null ? [] : [foldText(text)]));
  return {
    proof_id: proofId,
    file_name: fileName,
    file_size_bytes: event.data.fileSizeBytes,
    mime_type: event.data.mimeType,
    description,
    trigrams: trigramsOf(organisationId, texts),
    ...(event.type === 'ProofRequested' ? noDocument : documentColumns(event)),
  };
}

type DocumentColumns =
  | 'document_id'
  | 'root_document_id'
  | 'revision'
  | 'blob_key'
  | 'classification'
  | 'run_id'
  | 'uploaded_at';

const noDocument: Pick<Details, DocumentColumns> = {
  document_id: null,
  root_document_id: null,
  revision: null,
  blob_key: null,
  classification: null,
  run_id: null,
  uploaded_at: null,
};

function documentColumns(event: Stored): Pick<Details, DocumentColumns> {
  const { documentId, blobKey, classification } = event.data;
  const isFirst = event.type === 'DocumentStored';
  return {
    document_id: documentId,
    root_document_id: isFirst ? documentId : event.data.rootDocumentId,
    revision: isFirst ? 1 : event.data.revision,
    blob_key: blobKey,
    classification: classification === null ? null : JSON.stringify(classification),
    run_id: classification?.runId ?? null,
    uploaded_at: event.recordedAt,
  };
}

function foldOrNull(text: string | null): string | null {
  return text === null ? null : foldText(text);
}
