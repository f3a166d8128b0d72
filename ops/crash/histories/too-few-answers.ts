import type { RecordedCall } from './recorded-call.ts';

/** Least share of the planned calls that must have an answer that says something about proofs. */
const leastShare = 0.4;

const kinds = ['post', 'get', 'list'] as const satisfies RecordedCall['request']['kind'][];

/**
 * Says why a run proves too little, since services were away or clients failed; null if it had
 * enough answers. `rate` is in planned calls a second.
 */
export function tooFewAnswers(
  calls: readonly RecordedCall[],
  { seconds, rate }: { readonly seconds: number; readonly rate: number },
): string | null {
  const telling = calls.filter(({ answer }) => answer.kind !== 'nothing');
  const least = Math.ceil(leastShare * rate * seconds);
  if (telling.length < least) {
    return `${telling.length} answers say something about proofs, and at least ${least} must`;
  }
  const missing = kinds.find((kind) => !telling.some(({ request }) => request.kind === kind));
  return missing === undefined ? null : `no call of the kind ${missing} has an answer`;
}
