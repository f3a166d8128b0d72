import { monthOf } from '../domain/allowance/decide.ts';
import { proofDecider } from '../domain/proof/decider.ts';
import { isVisible } from '../domain/proof/state.ts';
import { streams } from '../domain/streams.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { RevisionOrder } from './chain-revision.ts';
import { hashStream } from './hash-stream.ts';
import { latestVisibleRevision } from './latest-visible-revision.ts';
import { load } from './load.ts';
import { loadChain, noSuchDocument } from './load-chain.ts';
import { loadPlace } from './load-place.ts';
import type { DocumentOrder } from './store-document.ts';
import { checkUnitLeft } from './unit-entry.ts';
import type { StoredUpload } from './upload.ts';

interface ForesightDeps {
  readonly store: EventStore;
  readonly now: () => Date;
}

/**
 * What `storeDocument` would come to as things stand, so that nothing is stored in vain: refuses as
 * it would, and gives the document of bytes that are there already. Null: the bytes are needed.
 */
export async function foreseeDocument(
  { store, now }: ForesightDeps,
  order: Pick<DocumentOrder, 'organisationId' | 'workspaceId' | 'fileHash'>,
): Promise<StoredUpload | null> {
  const { organisationId } = order;
  const { hash, organisation } = await loadPlace(store, order, await hashStream(store, order));
  if (hash.state.status === 'free') {
    await checkUnitLeft(
      store,
      { organisationId, month: monthOf(now()) },
      organisation.uploadAllowance,
    );
    return null;
  }
  if (hash.state.document === null) return null;
  const { documentId, proofId } = hash.state.document;
  const { state } = await load(store, streams.proof(proofId), proofDecider);
  if (!isVisible(state)) return null;
  const rootDocumentId = state.request.document?.rootDocumentId ?? documentId;
  return { ...thereAlready, documentId, rootDocumentId, proofId, state };
}

/** The same for `chainRevision`. */
export async function foreseeRevision(
  { store, now }: ForesightDeps,
  order: Pick<RevisionOrder, 'organisationId' | 'rootDocumentId' | 'fileHash'>,
): Promise<StoredUpload | null> {
  const { organisationId, rootDocumentId, fileHash } = order;
  const { chain, limit } = await loadChain(store, order);
  const latest = await latestVisibleRevision(store, chain);
  if (latest === null) throw noSuchDocument();
  const { revision, proof } = latest;
  if (revision.fileHash !== fileHash) {
    await checkUnitLeft(store, { organisationId, month: monthOf(now()) }, limit);
    return null;
  }
  const { documentId, proofId } = revision;
  return { ...thereAlready, documentId, rootDocumentId, proofId, state: proof };
}

const thereAlready = { created: false, alreadyProven: true, blobNamed: false } as const;
