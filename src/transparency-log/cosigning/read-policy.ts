import { readFile } from 'node:fs/promises';
import { OperatorError } from '../../errors/operator-error.ts';
import { type Policy, PolicyMistake, parsePolicy } from '../../verifier/log/policy.ts';

/**
 * Reads the policy of a file. Rejects with an `OperatorError` that names the file for a mistake, or
 * with the error of the file system.
 */
export async function readPolicy(path: string): Promise<Policy> {
  const text = await readFile(path, 'utf8');
  return namingMistakes(path, () => parsePolicy(text));
}

/**
 * Reads a policy as `readPolicy` does. The URLs of its witnesses must be fit to be asked.
 * @param name name of the file in messages
 */
export async function readAskedPolicy(path: string, name: string): Promise<Policy> {
  const text = await readFile(path, 'utf8');
  return namingMistakes(name, () => {
    const policy = parsePolicy(text);
    for (const { name: witness, url } of policy.witnesses) {
      if (url !== null && !isPrefix(url)) {
        throw new PolicyMistake(
          `the URL of ${witness} must begin with https:// or http://, without user, password, query and fragment`,
        );
      }
    }
    return policy;
  });
}

/** Parses the text of a file. A `PolicyMistake` becomes an `OperatorError` that names the file. */
export function namingMistakes<Parsed>(name: string, parse: () => Parsed): Parsed {
  try {
    return parse();
  } catch (cause) {
    if (!(cause instanceof PolicyMistake)) throw cause;
    throw new OperatorError(`${name}: ${cause.message}`, { cause });
  }
}

/** `fetch` refuses a URL with credentials, and names them in its error. */
function isPrefix(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + search + hash === '';
}
