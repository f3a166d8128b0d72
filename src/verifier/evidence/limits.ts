import { longestChain } from '../../domain/attestation/is-provable.ts';

/** Limits of the evidence, far above what networks send. Larger parts are not read. */

/** Validators of a list. The lists for mainnet have 35. */
export const maxValidators = 128;

/** The lists for mainnet have 20 kB. */
export const maxListBytes = 64 * 1_024;

export const maxManifestBytes = 1_024;

/** Ordinary validations have 230 to 300 bytes. Before a flag ledger they name amendments. */
export const maxValidationBytes = 8_192;

/** 64 levels have 15 siblings each at most. */
export const maxPathBytes = 64 * (2 + 15 * 32);

/** A time-stamp token. Tokens of large authorities have 7 kB with their certificates. */
export const maxTokenBytes = 32 * 1_024;

/** A ledger's header. */
export const headerBytes = 118;

/**
 * A header in a chain, without the parts that follow from the header before it: index, parent hash
 * and parent close time.
 */
export const linkBytes = headerBytes - 4 - 32 - 4;

/** Headers between a ledger and the one with validations. */
export const maxChain = longestChain;

/** Number of characters of base64 for so many bytes. */
export function maxBase64(bytes: number): number {
  return 4 * Math.ceil(bytes / 3);
}
