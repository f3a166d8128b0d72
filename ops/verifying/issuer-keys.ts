import { OperatorError } from '../../src/errors/operator-error.ts';
import { type ReadKey, readLogKey } from '../../src/verifier/log/note-key.ts';
import { readKeyFile } from './read-evidence.ts';

/** Reads keys of issuers: each is NAME+ID+KEY, or a file with one such key on each line. */
export async function readIssuerKeys(given: readonly string[]): Promise<readonly ReadKey[]> {
  const found: ReadKey[] = [];
  for (const one of given) {
    const key = readLogKey(one);
    found.push(...(key === null ? await keysInFile(one) : [key]));
  }
  return found;
}

async function keysInFile(path: string): Promise<readonly ReadKey[]> {
  const lines = (await readKeyFile(path)).split('\n').map((line) => line.trim());
  const stated = lines.filter((line) => line !== '' && !line.startsWith('#'));
  return stated.map((line) => {
    const key = readLogKey(line);
    if (key === null)
      throw new OperatorError(`${path}: "${line.slice(0, 200)}" is not NAME+ID+KEY`);
    return key;
  });
}
