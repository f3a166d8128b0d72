/**
 * Maximum of the bytes of all stored files of an organisation. `default` is the allowance of the
 * configuration.
 */
export type StorageAllowance = number | 'unlimited' | 'default';

/** The allowance in bytes; null is unlimited. */
export function storageLimit(
  allowance: StorageAllowance,
  defaultBytes: number | null,
): number | null {
  if (allowance === 'default') return defaultBytes;
  return allowance === 'unlimited' ? null : allowance;
}
