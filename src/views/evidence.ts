import { z } from 'zod';

/** `attested`: the proof can be verified by signatures of the ledger's validators, without a server. */
export const evidence = z.enum(['attested', 'pending']);

export type Evidence = z.infer<typeof evidence>;
