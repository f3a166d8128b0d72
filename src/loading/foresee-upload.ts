import { allowanceDecider, checkUnitLeft, monthOf } from '../domain/allowance/decider.ts';
import { checkRevisionLeft } from '../domain/document/decider.ts';
import type { StoredUpload } from '../domain/document/upload.ts';
import { proofDecider } from '../domain/proof/decider.ts';
import type { Digest } from '../domain/proof/digest.ts';
import { isVisible } from '../domain/proof/state.ts';
import { streams } from '../domain/streams.ts';
import type { DocumentId, OrganisationId, WorkspaceId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { load, loadNewest } from '../event-store/handling/load.ts';
import { hashStream } from './hash-stream.ts';
import { latestVisibleRevision } from './latest-visible-revision.ts';
import { loadChain } from './load-chain.ts';
import { loadUploadTarget } from './load-upload-target.ts';
import { noSuchDocument } from './no-such-document.ts';
import { foreseeStorage, type StorageLimiting } from './storage-use.ts';

interface ForesightDeps extends StorageLimiting {
  readonly store: EventStore;
  readonly now: () => Date;
}

/**
 * Predicts the result of `storeDocument` before any bytes are stored. Refuses as `storeDocument`
 * would. Returns the document if its bytes are already stored, and null if the bytes are needed.
 */
export async function foreseeDocument(
  deps: ForesightDeps,
  order: {
    readonly organisationId: OrganisationId;
    readonly workspaceId: WorkspaceId;
    readonly fileHash: Digest;
    readonly fileSizeBytes: number;
  },
): Promise<StoredUpload | null> {
  const { store } = deps;
  const { organisationId } = order;
  const { hash, organisation } = await loadUploadTarget(
    store,
    order,
    await hashStream(store, order),
  );
  if (hash.state.status === 'free') {
    await checkAllowance(deps, organisationId, organisation.uploadAllowance);
    await foreseeStorage(deps, order);
    return null;
  }
  if (hash.state.document === null) {
    await foreseeStorage(deps, order);
    return null;
  }
  const { documentId, proofId } = hash.state.document;
  const { state } = await load(store, streams.proof(proofId), proofDecider);
  if (!isVisible(state)) return null;
  const rootDocumentId = state.request.document?.rootDocumentId ?? documentId;
  return { ...thereAlready, documentId, rootDocumentId, proofId, state };
}

/** As `foreseeDocument`, for `chainRevision`. */
export async function foreseeRevision(
  deps: ForesightDeps,
  order: {
    readonly organisationId: OrganisationId;
    readonly rootDocumentId: DocumentId;
    readonly fileHash: Digest;
    readonly fileSizeBytes: number;
  },
): Promise<StoredUpload | null> {
  const { store } = deps;
  const { organisationId, rootDocumentId, fileHash } = order;
  const { chain, limit } = await loadChain(store, order);
  const latest = await latestVisibleRevision(store, chain);
  if (latest === null) throw noSuchDocument();
  const { revision, proof } = latest;
  if (revision.fileHash !== fileHash) {
    checkRevisionLeft(chain);
    await checkAllowance(deps, organisationId, limit);
    await foreseeStorage(deps, order);
    return null;
  }
  const { documentId, proofId } = revision;
  return { ...thereAlready, documentId, rootDocumentId, proofId, state: proof };
}

/**
 * Throws `AllowanceExceeded` if the month has no unit left now. The append makes the final
 * decision.
 */
async function checkAllowance(
  { store, now }: Pick<ForesightDeps, 'store' | 'now'>,
  organisationId: OrganisationId,
  limit: number | null,
): Promise<void> {
  if (limit === null) return;
  const allowance = streams.allowance(organisationId, monthOf(now()));
  const { state: used } = await loadNewest(store, allowance, allowanceDecider);
  checkUnitLeft(used, limit);
}

const thereAlready = { created: false, alreadyProven: true, blobNamed: false } as const;
