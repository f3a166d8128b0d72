import { Counter, type Registry } from '@prometheus-io/client';
import type { SignInOutcome } from '../identity/contract.ts';

const outcomes: Readonly<Record<SignInOutcome, null>> = {
  confirmed: null,
  away: null,
  refused: null,
  invalid: null,
  cancelled: null,
  unfinished: null,
};

/** Registers the sign-ins at the identity provider, and returns the function that counts one. */
export function signInMetrics(registry: Registry): (outcome: SignInOutcome) => void {
  const counter = new Counter({
    name: 'proofmark_provider_sign_ins_total',
    help: 'Sign-ins at the identity provider of the console that ended in this process, by outcome: confirmed, away (the provider does not answer), refused (the provider refuses this service), invalid (its answer cannot be trusted), or, without a code that the provider accepts, cancelled or unfinished, which anybody can bring about',
    labelNames: ['outcome'],
    registers: [registry],
  });
  // From 0 on, so that the first failure is an increase.
  for (const outcome of Object.keys(outcomes)) counter.inc({ outcome }, 0);
  return (outcome) => counter.inc({ outcome });
}
