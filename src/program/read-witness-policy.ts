import { readFile } from 'node:fs/promises';
import type { Config } from '../config.ts';
import { type Policy, PolicyMistake, parsePolicy } from '../transparency-log/cosigning/policy.ts';
import { CannotServe } from './cannot-serve.ts';

/** Reads the policy that WITNESS_POLICY names; null for none. Rejects with `CannotServe`. */
export async function readWitnessPolicy({
  witnessPolicy,
}: Pick<Config, 'witnessPolicy'>): Promise<Policy | null> {
  if (witnessPolicy === null) return null;
  try {
    const policy = parsePolicy(await readFile(witnessPolicy, 'utf8'));
    for (const { name, url } of policy.witnesses) {
      if (url !== null && !isHttp(url)) {
        throw new PolicyMistake(`the URL of ${name} must begin with https:// or http://`);
      }
    }
    return policy;
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : null;
    if (cause instanceof PolicyMistake || code !== null) {
      const reason = cause instanceof PolicyMistake ? cause.message : `cannot be read (${code})`;
      throw new CannotServe(`WITNESS_POLICY ${witnessPolicy}: ${reason}`, { cause });
    }
    throw cause;
  }
}

function isHttp(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
