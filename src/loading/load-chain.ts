import { documentDecider } from '../domain/document/decider.ts';
import type { StoredDocument } from '../domain/document/state.ts';
import { organisationDecider } from '../domain/organisation/decider.ts';
import { OrganisationShut } from '../domain/organisation/organisation-shut.ts';
import { streams } from '../domain/streams.ts';
import type { DocumentId, OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { fold } from '../event-store/handling/load.ts';
import { noSuchDocument } from './no-such-document.ts';

/** State for decisions on a revision. */
interface Chain {
  readonly chain: StoredDocument;
  readonly version: number;
  /** The organisation's upload allowance per month, in documents; null is unlimited. */
  readonly limit: number | null;
}

/**
 * Reads a document together with its organisation's allowance, in one query. Refuses with
 * PROOF_NOT_FOUND if there is no such document of the organisation.
 */
export async function loadChain(
  store: Pick<EventStore, 'readStreams'>,
  of: { readonly organisationId: OrganisationId; readonly rootDocumentId: DocumentId },
): Promise<Chain> {
  const { organisationId, rootDocumentId } = of;
  const documentStream = streams.document(rootDocumentId);
  const organisationStream = streams.organisation(organisationId);
  const read = await store.readStreams([documentStream, organisationStream]);
  const { state: chain, version } = fold(read.get(documentStream) ?? [], documentDecider);
  if (chain.status === 'unknown' || chain.organisationId !== organisationId) {
    throw noSuchDocument();
  }
  const events = read.get(organisationStream) ?? [];
  const organisation = fold(events, organisationDecider).state;
  if (organisation.status === 'unknown') throw new Error(`no organisation ${organisationId}`);
  if (organisation.status === 'erased') throw new OrganisationShut(organisationId);
  return { chain, version, limit: organisation.uploadAllowance };
}
