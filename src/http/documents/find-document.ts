import { queryDocument } from '../../../projections/documents/query.ts';
import type { DocumentRecord, ListedDocument } from '../../../projections/documents/record.ts';
import type { DocumentId, OrganisationId } from '../../domain/ulid.ts';
import { noSuchDocument } from '../../loading/load-chain.ts';
import { awaitPosition } from '../../subscriptions/await-position.ts';
import type { RouteDeps } from '../route-deps.ts';

/**
 * Returns a stored document of the caller's organisation, of any revision. Refuses with
 * PROOF_NOT_FOUND.
 */
export async function findDocument(
  deps: Pick<RouteDeps, 'db' | 'store' | 'signal'>,
  organisationId: OrganisationId,
  documentId: DocumentId,
): Promise<DocumentRecord & { readonly document: ListedDocument }> {
  await awaitDocuments(deps, organisationId);
  return readDocument(deps.db, organisationId, documentId);
}

/** As `findDocument`, without waiting for the read model. */
export async function readDocument(
  db: RouteDeps['db'],
  organisationId: OrganisationId,
  documentId: DocumentId,
): Promise<DocumentRecord & { readonly document: ListedDocument }> {
  const found = await queryDocument(db, organisationId, documentId);
  if (!found?.document) throw noSuchDocument();
  return { ...found, document: found.document };
}

/** Waits until the read model of documents includes the organisation's latest change. */
export async function awaitDocuments(
  { db, store, signal }: Pick<RouteDeps, 'db' | 'store' | 'signal'>,
  organisationId: OrganisationId,
): Promise<void> {
  const position = await store.lastPositionOf(organisationId);
  await awaitPosition(db, 'documents', position, { signal });
}
