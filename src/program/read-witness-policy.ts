import type { Config } from '../config.ts';
import { readAskedPolicy } from '../transparency-log/cosigning/read-policy.ts';
import type { Policy } from '../verifier/log/policy.ts';
import { CannotServe } from './cannot-serve.ts';

/**
 * Reads the policy that WITNESS_POLICY names; null for none. Rejects with an `OperatorError` if the
 * file cannot be read or has a mistake.
 */
export async function readWitnessPolicy({
  witnessPolicy,
}: Pick<Config, 'witnessPolicy'>): Promise<Policy | null> {
  if (witnessPolicy === null) return null;
  const name = `WITNESS_POLICY ${witnessPolicy}`;
  try {
    return await readAskedPolicy(witnessPolicy, name);
  } catch (cause) {
    if (!(cause instanceof Error) || !('code' in cause)) throw cause;
    throw new CannotServe(`${name}: cannot be read (${String(cause.code)})`, { cause });
  }
}
