import type { Config } from '../config.ts';
import type { Policy } from '../transparency-log/cosigning/policy.ts';
import { readPolicy } from '../transparency-log/cosigning/read-policy.ts';
import { PolicyMistake } from '../verifier/log/policy.ts';
import { CannotServe } from './cannot-serve.ts';

/** Reads the policy that WITNESS_POLICY names; null for none. Rejects with `CannotServe`. */
export async function readWitnessPolicy({
  witnessPolicy,
}: Pick<Config, 'witnessPolicy'>): Promise<Policy | null> {
  if (witnessPolicy === null) return null;
  try {
    return await readPolicy(witnessPolicy);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : null;
    if (cause instanceof PolicyMistake || code !== null) {
      const reason = cause instanceof PolicyMistake ? cause.message : `cannot be read (${code})`;
      throw new CannotServe(`WITNESS_POLICY ${witnessPolicy}: ${reason}`, { cause });
    }
    throw cause;
  }
}
