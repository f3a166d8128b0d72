import { hexToBytes } from '@noble/hashes/utils.js';
import { BadEvidence } from './bad-evidence.ts';
import { decodeBase64 } from './base64.ts';
import { hasDoubledMembers } from './has-doubled-members.ts';
import { maxManifestBytes, maxValidators } from './limits.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { keyTypeOf, publicKeyBytes } from './verify-signature.ts';

/** The signed content of a validator list. Times are seconds since 2000-01-01T00:00:00Z. */
export interface ValidatorList {
  readonly sequence: number;
  /** Null if the list is effective at once. */
  readonly effective: number | null;
  /** The list is not valid from this time on. */
  readonly expiration: number;
  /** One entry for each distinct validator. */
  readonly validators: readonly ListedValidator[];
}

export interface ListedValidator {
  /** Public key, lower-case hex. */
  readonly masterKey: string;
  /**
   * Names the signing key. Its signatures are not verified yet. Null if the entry has none or a
   * malformed one: then the validator signs with its master key, or not at all.
   */
  readonly manifest: Manifest | null;
  /** True if the entry has no manifest, so that the master key signs. */
  readonly signsAlone: boolean;
}

/** Reads the decoded blob of a list. Throws `BadEvidence`. */
export function readListBlob(bytes: Uint8Array): ValidatorList {
  const { sequence, effective = null, expiration, validators } = parse(bytes);
  if (!isUint32(sequence) || !isUint32(expiration)) throw malformed('lacks a sequence or time');
  if (effective !== null && !isUint32(effective)) throw malformed('has a malformed time');
  if (!Array.isArray(validators)) throw malformed('names no validators');
  if (validators.length > maxValidators) throw malformed(`names more than ${maxValidators}`);
  const listed = new Map<string, ListedValidator>();
  for (const entry of validators) {
    const validator = readEntry(entry);
    if (!listed.has(validator.masterKey)) listed.set(validator.masterKey, validator);
  }
  return { sequence, effective, expiration, validators: [...listed.values()] };
}

/** True if the list was in force at a time: seconds since 2000-01-01T00:00:00Z. */
export function isInForce({ effective, expiration }: ValidatorList, time: number): boolean {
  return time >= (effective ?? 0) && time < expiration;
}

function parse(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (hasDoubledMembers(text, value)) throw malformed('names a member twice');
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch (cause) {
    if (cause instanceof BadEvidence) throw cause;
    throw new BadEvidence('list', 'the validator list is no JSON text', { cause });
  }
  throw malformed('is no object');
}

function readEntry(entry: unknown): ListedValidator {
  const { validation_public_key: key, manifest } = (entry ?? {}) as Record<string, unknown>;
  if (typeof key !== 'string' || !/^[A-Fa-f0-9]+$/.test(key) || key.length !== 2 * publicKeyBytes) {
    throw malformed('has a malformed key');
  }
  const masterKey = key.toLowerCase();
  if (keyTypeOf(hexToBytes(masterKey)) === null) throw malformed('has an unknown kind of key');
  const signsAlone = manifest === undefined || manifest === '';
  return { masterKey, manifest: signsAlone ? null : readOrNull(manifest), signsAlone };
}

/** One validator's malformed manifest must not make the whole list useless. */
function readOrNull(manifest: unknown): Manifest | null {
  if (typeof manifest !== 'string') return null;
  try {
    return readManifest(decodeBase64(manifest, maxManifestBytes, 'a manifest'));
  } catch (error) {
    if (error instanceof BadEvidence) return null;
    throw error;
  }
}

function isUint32(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 0xffff_ffff;
}

function malformed(why: string): BadEvidence {
  return new BadEvidence('list', `the validator list ${why}`);
}
