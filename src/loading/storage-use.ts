import { checkStorageLeft, storageDecider } from '../domain/storage/decider.ts';
import { type StorageAllowance, storageLimit } from '../domain/storage/storage-allowance.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';

/**
 * Adds up the bytes of an organisation's stored files. The sum includes every file stored up to
 * `position` of the log.
 */
export type StoredBytes = (organisationId: OrganisationId, position: number) => Promise<number>;

/** Dependencies of limiting the bytes of an organisation. */
export interface StorageLimiting {
  readonly storedBytes: StoredBytes;
  /** Allowance of organisations without their own, in bytes; null is unlimited. */
  readonly defaultStorageAllowance: number | null;
}

/** Storage that an organisation with a limit uses. */
interface StorageUse {
  readonly usedBytes: number;
  readonly limitBytes: number;
  readonly allowance: StorageAllowance;
  /** Version of the fence: each file within an allowance is appended with an event to its stream. */
  readonly version: number;
}

/** Loads the storage that an organisation uses; null if it is unlimited. */
export async function loadStorageUse(
  deps: StorageLimiting & { readonly store: Pick<EventStore, 'readLast' | 'head'> },
  organisationId: OrganisationId,
): Promise<StorageUse | null> {
  const { store, storedBytes, defaultStorageAllowance } = deps;
  // Read the fence before the sum, so that a file stored after the sum causes a conflict.
  const fence = await store.readLast(streams.storage(organisationId));
  const allowance = storageDecider.stateAfter(fence);
  const limitBytes = storageLimit(allowance, defaultStorageAllowance);
  if (limitBytes === null) return null;
  const usedBytes = await storedBytes(organisationId, fence?.position ?? (await store.head()));
  return { usedBytes, limitBytes, allowance, version: fence?.version ?? 0 };
}

/** Throws `AllowanceExceeded` if the file does not fit now. The append makes the final decision. */
export async function foreseeStorage(
  deps: Parameters<typeof loadStorageUse>[0],
  { organisationId, fileSizeBytes }: OrganisationFile,
): Promise<void> {
  const use = await loadStorageUse(deps, organisationId);
  if (use !== null) checkStorageLeft({ ...use, fileSizeBytes });
}

/** Returns false if the organisation has no file of such a size. */
export type MayHaveFile = (
  organisationId: OrganisationId,
  size: Pick<AnnouncedFile, 'leastBytes' | 'mostBytes'>,
) => Promise<boolean>;

/** A file whose bytes have not been received. */
interface AnnouncedFile {
  readonly organisationId: OrganisationId;
  readonly leastBytes: number;
  readonly mostBytes: number;
}

/**
 * Throws `AllowanceExceeded` if the announced file cannot fit, whatever its bytes are. A file that
 * is stored already needs no storage, so a file of such a size is let through.
 */
export async function foreseeAnnouncedFile(
  deps: Parameters<typeof loadStorageUse>[0] & { readonly mayHaveFile: MayHaveFile },
  { organisationId, leastBytes, mostBytes }: AnnouncedFile,
): Promise<void> {
  if (leastBytes <= 0) return;
  const use = await loadStorageUse(deps, organisationId);
  if (use === null || use.usedBytes + leastBytes <= use.limitBytes) return;
  const canBeStored = leastBytes <= use.usedBytes;
  if (canBeStored && (await deps.mayHaveFile(organisationId, { leastBytes, mostBytes }))) return;
  checkStorageLeft({ ...use, fileSizeBytes: leastBytes, isAnnounced: true });
}

/** A file of an organisation. */
export interface OrganisationFile {
  readonly organisationId: OrganisationId;
  readonly fileSizeBytes: number;
}
