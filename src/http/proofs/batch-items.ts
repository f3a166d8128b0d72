import { z } from 'zod';
import { Refusal, type RefusalCode } from '../../domain/refusal.ts';
import { type Input, parseInput } from '../input.ts';
import { JsonSchemas } from '../openapi/json-schemas.ts';
import { type ProofMembers, proofMembers } from './proof-members.ts';

/** Maximum hashes in a batch. */
export const maxItems = 1_000;

/** One hash of a batch, or the reason why it is refused. */
export type BatchItem = { readonly item: ProofMembers } | { readonly refused: RefusedItem };

interface RefusedItem {
  readonly code: RefusalCode;
  readonly message: string;
}

const input: Input<ProofMembers> = {
  schema: z.object(proofMembers),
  refusals: { hash: 'INVALID_HASH' },
};

/**
 * The hashes of a batch. Each is parsed for itself, with the refusals of POST /proofs, so that one
 * malformed item refuses no other.
 */
export const batchItems = z
  .array(z.unknown().meta(new JsonSchemas().of(input.schema, 'input')).transform(parseItem))
  .min(1, { error: `must have 1 to ${maxItems} items` })
  .max(maxItems, { error: `must have 1 to ${maxItems} items` });

function parseItem(raw: unknown): BatchItem {
  try {
    return { item: parseInput(input, raw) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message } = error;
    return { refused: { code, message: message.replace(/^body: /, 'item: ') } };
  }
}
