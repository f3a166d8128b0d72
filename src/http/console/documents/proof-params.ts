import { z } from 'zod';
import { linkId, proofId } from '../../fields.ts';

/** Path of a proof. */
export const proofParams = {
  schema: z.object({ id: proofId }),
  refusals: { id: 'INVALID_PROOF_ID' },
} as const;

/** Path of a link of a proof. */
export const linkParams = {
  schema: z.object({ id: proofId, linkId }),
  refusals: { id: 'INVALID_PROOF_ID' },
} as const;
