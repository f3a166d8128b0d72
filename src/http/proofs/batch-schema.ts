import { z } from 'zod';
import { id, success } from '../../views/output-fields.ts';
import { proofResponse, proofStatusResponse } from '../../views/proof-schema.ts';
import type { ErrorCode } from '../errors/error-code.ts';

/** Codes of the results of single items. */
const itemCodes = [
  'INVALID_HASH',
  'INVALID_WORKSPACE',
  'INVALID_REQUEST',
  'COMPANY_SUSPENDED',
  'INTERNAL_ERROR',
  'XRPL_ERROR',
  'PROOF_NOT_RECORDED',
  'SERVICE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

const itemError = z
  .object({
    success: z.literal(false),
    code: z.enum(itemCodes),
    message: z.string().meta({ description: 'for people; may be reworded' }),
    proofId: id.optional().meta({ description: 'the queued proof; only with PROOF_NOT_RECORDED' }),
  })
  .meta({ id: 'ItemError', description: 'The error that POST /proofs gives for this hash alone.' });

const status = z.int().meta({
  description: 'the status that POST /proofs answers for this hash alone',
  examples: [201],
});
const retryAfterSeconds = z
  .int()
  .min(1)
  .optional()
  .meta({ description: 'seconds to wait before posting this hash again' });

const waitedResult = z
  .object({ status, retryAfterSeconds, body: z.union([proofResponse, itemError]) })
  .meta({ id: 'BatchResult', description: 'The result of one item.' });

const queuedResult = z
  .object({
    status,
    retryAfterSeconds,
    body: z.union([proofStatusResponse, proofResponse, itemError]),
  })
  .meta({ id: 'QueuedBatchResult', description: 'The result of one item of a queued batch.' });

/** Answer to a caller who waited. */
export const batchResponse = z.object({
  success,
  data: z.array(waitedResult).meta({ description: 'one result per item, in their order' }),
});

/** Answer to a caller who does not wait. */
export const queuedBatchResponse = z.object({
  success,
  data: z.array(queuedResult).meta({ description: 'one result per item, in their order' }),
});
