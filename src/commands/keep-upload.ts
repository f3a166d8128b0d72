import type { ByteVerification } from '../byte-verification/contract.ts';
import { type BlobKey, blobKey } from '../domain/blob/blob-key.ts';
import { Refusal } from '../domain/refusal.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import { StoreSilent } from '../event-store/connection-loss.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { BlobStorage, StagedBlob } from '../storage/contract.ts';
import type { StoredUpload } from './upload.ts';
import { watchAppends } from './watch-appends.ts';

export interface KeepingDeps {
  readonly store: EventStore;
  readonly storage: BlobStorage;
  readonly verification: ByteVerification;
  readonly newId: () => string;
  /** Something that nothing names could not be deleted at once; the sweep will. */
  readonly onLeftover: (trouble: unknown) => void;
}

/** A file that was received. */
export interface ReceivedUpload {
  readonly organisationId: OrganisationId;
  readonly fileName: string;
  readonly staged: StagedBlob;
}

/** What is to become of it. */
export interface UploadPlan {
  /** Refuses what would be refused; what is there already, or null if the bytes are needed. */
  foresee(): Promise<StoredUpload | null>;
  /**
   * Appends to this store the events that name the blob, which is on stable storage by then. Rejects
   * with `StoreSilent` while it may still come to append them.
   */
  append(blobKey: BlobKey, store: EventStore): Promise<StoredUpload>;
}

/**
 * Keeps an upload: what can be refused without storing is refused first, then the bytes are
 * verified, put on stable storage, and named by an event, in this order. A blob that no event came
 * to name is deleted at once where that is known, and left to the sweep where it is not. Refuses
 * with FILE_BYTES_NOT_VERIFIED and what the plan refuses with. The staged blob is spent.
 */
export async function keepUpload(
  deps: KeepingDeps,
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
  const verdict = await verification.verify(staged.path, fileName, organisationId);
  if (verdict.status === 'verified') return;
  const { expected, found } = verdict;
  const are = found === null ? 'nothing that is known' : `a .${found} file`;
  throw new Refusal(
    'FILE_BYTES_NOT_VERIFIED',
    `file: its name claims a .${expected} file, its bytes are ${are}`,
  );
}

async function nameBlob(
  deps: KeepingDeps,
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
    // A put that failed may have stored it all the same.
    const isUnderWay = error instanceof StoreSilent;
    if (!mayHaveAppended() && !isUnderWay) await drop(deps, key);
    throw error;
  }
  if (!stored.blobNamed) await drop(deps, key);
  return stored;
}

async function drop({ storage, onLeftover }: KeepingDeps, key: BlobKey): Promise<void> {
  await storage.delete(key).catch(onLeftover);
}
