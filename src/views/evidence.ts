import { z } from 'zod';

/** Evidence that a proof has besides the word of a server. */
export const evidence = z.enum(['attested', 'pending']);

export type Evidence = z.infer<typeof evidence>;
