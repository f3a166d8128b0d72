import { queryDocument } from '../../../projections/documents/query.ts';
import type { DocumentRecord, ListedDocument } from '../../../projections/documents/record.ts';
import type { DocumentId, OrganisationId } from '../../domain/ulid.ts';
import { noSuchDocument } from '../../loading/no-such-document.ts';
import { awaitPosition, type ReadDeps } from '../../subscriptions/await-position.ts';

/**
 * Returns a stored document of the caller's organisation, of any revision. Refuses with
 * PROOF_NOT_FOUND.
 */
export async function findDocument(
  deps: ReadDeps,
  organisationId: OrganisationId,
  documentId: DocumentId,
): Promise<DocumentRecord & { readonly document: ListedDocument }> {
  await awaitDocuments(deps, organisationId);
  return readDocument(deps.db, organisationId, documentId);
}

/** As `findDocument`, without waiting for the read model. */
export async function readDocument(
  db: ReadDeps['db'],
  organisationId: OrganisationId,
  documentId: DocumentId,
): Promise<DocumentRecord & { readonly document: ListedDocument }> {
  const found = await queryDocument(db, organisationId, documentId);
  if (!found?.document) throw noSuchDocument();
  return { ...found, document: found.document };
}

/** Waits until the read model of documents includes the organisation's latest change. */
export async function awaitDocuments(
  { db, store, signal }: ReadDeps,
  organisationId: OrganisationId,
): Promise<void> {
  const position = await store.lastPositionOf(organisationId);
  await awaitPosition(db, 'documents', position, { signal });
}
