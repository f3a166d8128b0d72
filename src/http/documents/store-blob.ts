import type { ByteVerification } from '../../byte-verification/contract.ts';
import { type BlobKey, blobKey } from '../../domain/blob/blob-key.ts';
import type { StoredUpload } from '../../domain/document/upload.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { OrganisationId } from '../../domain/ulid.ts';
import { StoreSilent } from '../../event-store/connection-loss.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { watchAppends } from '../../event-store/handling/watch-appends.ts';
import type { BlobStorage, StagedBlob } from '../../storage/contract.ts';

/** Dependencies of storing a blob. */
export interface BlobDeps {
  readonly store: EventStore;
  readonly storage: BlobStorage;
  readonly verification: ByteVerification;
  readonly newId: () => string;
  /** Called if an unnamed or staged blob could not be deleted at once; the sweep will delete it. */
  readonly onLeftover: (trouble: unknown) => void;
}

/** A received file. */
interface ReceivedUpload {
  readonly organisationId: OrganisationId;
  readonly fileName: string;
  readonly staged: StagedBlob;
}

/** Checks before the bytes are stored, and the append that names them afterwards. */
export interface UploadPlan {
  /** Refuses as `append` would. Returns the existing document; null if the bytes are needed. */
  foresee(): Promise<StoredUpload | null>;
  /**
   * Appends to this store the events that name the blob, which is already on stable storage.
   * Rejects with `StoreSilent` if the events may still be appended.
   */
  append(blobKey: BlobKey, store: EventStore): Promise<StoredUpload>;
}

/**
 * Stores the bytes of an upload. First refuses everything that can be refused without storing, then
 * verifies the bytes, puts them on stable storage, and appends the event that names them. If it is
 * certain that no event names a blob, deletes the blob at once; otherwise leaves it to the sweep.
 * Refuses with FILE_BYTES_NOT_VERIFIED and the refusals of the plan. The staged blob is discarded.
 */
export async function storeBlob(
  deps: BlobDeps,
  upload: ReceivedUpload,
  plan: UploadPlan,
): Promise<StoredUpload> {
  const { organisationId, staged } = upload;
  try {
    const known = await plan.foresee();
    await verifyBytes(deps.verification, upload);
    if (known !== null) return known;
    const key = blobKey(organisationId, deps.newId());
    return await nameBlob(deps, key, staged, plan);
  } finally {
    await staged.discard().catch(deps.onLeftover);
  }
}

async function verifyBytes(
  verification: ByteVerification,
  { organisationId, fileName, staged }: ReceivedUpload,
): Promise<void> {
  const verdict = await verification.verify(staged, fileName, organisationId);
  if (verdict.status === 'verified') return;
  const { expected, found } = verdict;
  const are = found === null ? 'of an unknown type' : `those of a .${found} file`;
  throw new Refusal(
    'FILE_BYTES_NOT_VERIFIED',
    `file: the name claims a .${expected} file, but the bytes are ${are}`,
  );
}

async function nameBlob(
  deps: BlobDeps,
  key: BlobKey,
  staged: StagedBlob,
  plan: UploadPlan,
): Promise<StoredUpload> {
  const { store, mayHaveAppended } = watchAppends(deps.store);
  let stored: StoredUpload;
  try {
    await deps.storage.put(key, staged);
    stored = await plan.append(key, store);
  } catch (error) {
    // A failed `put` may have stored the blob all the same.
    const isUnderWay = error instanceof StoreSilent;
    if (!mayHaveAppended() && !isUnderWay) await drop(deps, key);
    throw error;
  }
  if (!stored.blobNamed) await drop(deps, key);
  return stored;
}

async function drop({ storage, onLeftover }: BlobDeps, key: BlobKey): Promise<void> {
  await storage.delete(key).catch(onLeftover);
}
