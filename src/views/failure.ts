import { z } from 'zod';
import type { ProofState } from '../domain/proof/state.ts';

/** Failure of a proof, in webhook deliveries about a proof or document that no longer exists. */
export const failureData = z
  .object({
    code: z.enum(['XRPL_ERROR', 'GIVEN_UP']).meta({
      description:
        'XRPL_ERROR: the attempt was rolled back, as after 502 XRPL_ERROR; GIVEN_UP: the operator of ' +
        'the service gave the proof up',
    }),
    message: z.string().meta({ description: 'for people; may be reworded' }),
    final: z.boolean().meta({
      description:
        'true: the service does not try again, and nothing of the proof is or will be on the ledger',
    }),
  })
  .meta({ id: 'Failure', description: 'Why there is no proof.' });

export type Failure = z.output<typeof failureData>;

const rolledBack: Failure = {
  code: 'XRPL_ERROR',
  message:
    'the proof could not be anchored and was rolled back; post the hash or upload the file again',
  final: true,
};

const givenUp: Failure = {
  code: 'GIVEN_UP',
  message: 'the proof was given up by the operator; post the hash or upload the file again',
  final: true,
};

/** The failure of a proof that callers can no longer see. */
export function failureOf(status: Extract<ProofState['status'], 'withdrawn' | 'refused'>): Failure {
  return status === 'refused' ? givenUp : rolledBack;
}
