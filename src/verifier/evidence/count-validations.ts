import { bytesToHex } from '@noble/hashes/utils.js';
import type { LedgerHeader } from './ledger-header.ts';
import type { ValidatorList } from './list-blob.ts';
import type { Manifest } from './manifest.ts';
import { signingKeys } from './signing-keys.ts';
import { isSignedValidation, type Validation } from './validation.ts';

/** Listed validators that validated a ledger. */
export interface Count {
  /** Distinct validators of the list. */
  readonly listed: number;
  /** Validators that a quorum needs. */
  readonly needed: number;
  /** Validations that count: one of each validator. */
  readonly counted: readonly CountedValidation[];
}

export interface CountedValidation {
  /** Lower-case hex. */
  readonly masterKey: string;
  readonly validation: Validation;
}

interface CountOptions {
  /** Manifests that are newer than the list. */
  readonly newerManifests?: readonly Manifest[];
  /** Stops at this number: each validation costs up to three signatures. */
  readonly most?: number;
  /** Excludes validations for a reason of the caller's. */
  readonly accepts?: (validation: Validation, masterKey: string) => boolean;
}

/**
 * Counts full validations of exactly this ledger by listed validators, each validator once. Ignores
 * all others.
 */
export function countValidations(
  ledger: Pick<LedgerHeader, 'index' | 'hash'>,
  validations: readonly Validation[],
  list: ValidatorList,
  { newerManifests, most = Number.POSITIVE_INFINITY, accepts = () => true }: CountOptions = {},
): Count {
  const keys = signingKeys(list, newerManifests);
  const counted = new Map<string, Validation>();
  const countedKeys = new Set<string>();
  for (const validation of validations) {
    if (counted.size >= most) break;
    if (!isOf(validation, ledger)) continue;
    const signingKey = bytesToHex(validation.signingKey);
    if (countedKeys.has(signingKey) || !keys.mayBelong(signingKey)) continue;
    // Before its manifests, which cost two signatures each.
    if (!isSignedValidation(validation)) continue;
    const masterKey = keys.masterOf(signingKey);
    if (masterKey === null || !accepts(validation, masterKey)) continue;
    counted.set(masterKey, validation);
    countedKeys.add(signingKey);
  }
  const listed = list.validators.length;
  return {
    listed,
    needed: quorum(listed),
    counted: [...counted].map(([masterKey, validation]) => ({ masterKey, validation })),
  };
}

/**
 * Validators of `listed` that must agree: 80 %, rounded up, and at least one. The ledger asks for
 * fewer while validators are on its negative UNL. No message says who is on it, so that is left
 * out: the count is never lower than the ledger's.
 */
export function quorum(listed: number): number {
  return Math.max(1, Math.ceil((4 * listed) / 5));
}

function isOf(
  { isFull, ledgerIndex, ledgerHash }: Validation,
  { index, hash }: Pick<LedgerHeader, 'index' | 'hash'>,
): boolean {
  return isFull && ledgerIndex === index && bytesToHex(ledgerHash) === hash;
}
