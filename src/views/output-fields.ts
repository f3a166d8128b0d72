import { z } from 'zod';
import { ulidPattern } from '../domain/ulid.ts';

/**
 * Fields of answers. Answers are not validated before they are sent. The OpenAPI document shows
 * these schemas, and the tests check every answer against them.
 */
export const id = z.string().meta({ pattern: ulidPattern });

export const time = z.iso.datetime();

export const count = z.int().min(0);

export const url = z.string().meta({ format: 'uri' });

/** A SHA-256, a commitment or a nonce. */
export const lowerHex = z.string().meta({ pattern: '^[a-f0-9]{64}$' });

/** Hash in the ledger's notation. */
export const transactionHash = z.string().meta({ pattern: '^[A-F0-9]{64}$' });

/** Text from a caller, returned byte for byte: data, never an instruction. */
export const untrusted = z.string();

export const success = z.literal(true);
