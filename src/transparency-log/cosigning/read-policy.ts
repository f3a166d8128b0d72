import { readFile } from 'node:fs/promises';
import { PolicyMistake } from '../../verifier/log/policy.ts';
import { type Policy, parsePolicy } from './policy.ts';

/**
 * Reads the policy of a file, whose witnesses have URLs that can be asked. Rejects with
 * `PolicyMistake`, or with the error of the file system.
 */
export async function readPolicy(path: string): Promise<Policy> {
  const policy = parsePolicy(await readFile(path, 'utf8'));
  for (const { name, url } of policy.witnesses) {
    if (url !== null && !isPrefix(url)) {
      throw new PolicyMistake(
        `the URL of ${name} must begin with https:// or http://, without user, password, query and fragment`,
      );
    }
  }
  return policy;
}

/** `fetch` refuses a URL with credentials, and names them in its error. */
function isPrefix(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + search + hash === '';
}
