import { AllowanceExceeded } from '../allowance/allowance-exceeded.ts';
import type { Decisions, NewestDecider } from '../decider.ts';
import { Refusal } from '../refusal.ts';
import type { DocumentId } from '../ulid.ts';
import type { StorageEvent } from './events.ts';
import type { StorageAllowance } from './storage-allowance.ts';

/**
 * Decisions on the storage of an organisation. The stream holds the allowance, and is the fence of
 * the stored bytes: a read model counts them, so that it also knows files stored without an
 * allowance.
 */
export const storageDecider = {
  stateAfter: (newest) => newest?.data.storageAllowance ?? 'default',
  change,
  take,
} satisfies NewestDecider<StorageAllowance, StorageEvent> & Decisions;

/** Sets the allowance. Refuses with INVALID_REQUEST. */
function change(before: StorageAllowance, after: StorageAllowance): readonly StorageEvent[] {
  if (typeof after === 'number' && !(Number.isSafeInteger(after) && after >= 0)) {
    const message = 'storageAllowance: must be a number of bytes, "unlimited" or "default"';
    throw new Refusal('INVALID_REQUEST', message);
  }
  if (before === after) return [];
  return [{ type: 'StorageAllowanceChanged', data: { storageAllowance: after } }];
}

/** A file to store, and the storage that the organisation uses before it. */
interface Taking {
  readonly usedBytes: number;
  readonly limitBytes: number;
  readonly fileSizeBytes: number;
  /** True if the file was not received: it has at least `fileSizeBytes`. */
  readonly isAnnounced?: boolean;
}

/** Stores a file within the allowance. Throws `AllowanceExceeded`. */
function take(
  taking: Taking,
  documentId: DocumentId,
  storageAllowance: StorageAllowance,
): readonly StorageEvent[] {
  checkStorageLeft(taking);
  const { fileSizeBytes } = taking;
  const usedBytes = taking.usedBytes + fileSizeBytes;
  const data = { documentId, fileSizeBytes, usedBytes, storageAllowance };
  return [{ type: 'StorageTaken', data }];
}

/** Throws `AllowanceExceeded` if the file does not fit into the allowance. */
export function checkStorageLeft(taking: Taking): void {
  const { usedBytes, limitBytes, fileSizeBytes, isAnnounced = false } = taking;
  if (usedBytes + fileSizeBytes <= limitBytes) return;
  throw new AllowanceExceeded(
    `the storage allowance is used up: the stored files have ${usedBytes} of ${limitBytes} bytes, and ` +
      `this file has ${isAnnounced ? 'at least ' : ''}${fileSizeBytes}`,
    { used: usedBytes, limit: limitBytes, unit: 'bytes' },
  );
}
