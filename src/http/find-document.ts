import { findDocument as queryDocument } from '../../projections/documents/query.ts';
import type { DocumentRecord, StoredDocument } from '../../projections/documents/record.ts';
import { noSuchDocument } from '../commands/load-chain.ts';
import type { DocumentId, OrganisationId } from '../domain/ulid.ts';
import { awaitPosition } from '../subscriptions/await-position.ts';
import type { RouteDeps } from './route-deps.ts';

/** A stored document of the caller's organisation, of whatever revision; else PROOF_NOT_FOUND. */
export async function findDocument(
  deps: Pick<RouteDeps, 'db' | 'store' | 'signal'>,
  organisationId: OrganisationId,
  documentId: DocumentId,
): Promise<DocumentRecord & { readonly document: StoredDocument }> {
  await awaitDocuments(deps, organisationId);
  return readDocument(deps.db, organisationId, documentId);
}

/** As `findDocument`, without waiting for the read model. */
export async function readDocument(
  db: RouteDeps['db'],
  organisationId: OrganisationId,
  documentId: DocumentId,
): Promise<DocumentRecord & { readonly document: StoredDocument }> {
  const found = await queryDocument(db, organisationId, documentId);
  if (!found?.document) throw noSuchDocument();
  return { ...found, document: found.document };
}

/** Waits until the list of documents shows all that the organisation has done. */
export async function awaitDocuments(
  { db, store, signal }: Pick<RouteDeps, 'db' | 'store' | 'signal'>,
  organisationId: OrganisationId,
): Promise<void> {
  const position = await store.lastPositionOf(organisationId);
  await awaitPosition(db, 'documents', position, { signal });
}
