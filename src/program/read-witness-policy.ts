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
      if (url !== null && !isPrefix(url)) {
        throw new PolicyMistake(
          `the URL of ${name} must begin with https:// or http://, without user, password, query and fragment`,
        );
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

/** `fetch` refuses a URL with credentials, and names them in its error. */
function isPrefix(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + search + hash === '';
}
