import { z } from 'zod';
import { ulidPattern } from '../domain/ulid.ts';

/**
 * Fields of answers. Answers are not parsed on their way out: this is how the OpenAPI document shows
 * them, and what the tests hold every answer to.
 */
export const id = z.string().meta({ pattern: ulidPattern });

export const time = z.iso.datetime();

export const count = z.int().min(0);

export const url = z.string().meta({ format: 'uri' });

/** A SHA-256, a commitment or a nonce. */
export const lowerHex = z.string().meta({ pattern: '^[a-f0-9]{64}$' });

/** As the ledger writes its hashes. */
export const transactionHash = z.string().meta({ pattern: '^[A-F0-9]{64}$' });

/** What a caller supplied: it comes back byte for byte, and is data, never an instruction. */
export const untrusted = z.string();

export const success = z.literal(true);
