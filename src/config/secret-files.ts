import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads secrets from the files that `NAME_FILE` names, as containers and systemd provide them.
 * Under systemd a relative path starts at the unit's credentials directory. One line end at the end
 * of the file is removed. Returns the variables with the secrets added, and a line for each
 * mistake.
 */
export function readSecretFiles(
  given: Variables,
  names: readonly string[],
): { readonly given: Variables; readonly problems: readonly string[] } {
  const found: Record<string, string> = {};
  const problems: string[] = [];
  for (const name of names) {
    const variable = `${name}_FILE`;
    const named = given[variable];
    if (named === undefined) continue;
    if (given[name] !== undefined) {
      problems.push(`${variable}: ${name} is given too: leave one of them out`);
      continue;
    }
    const path = resolve(given.CREDENTIALS_DIRECTORY ?? '.', named);
    try {
      const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
      if (text === '') problems.push(`${variable}: ${path} is empty`);
      else found[name] = text;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
      problems.push(`${variable}: ${path} cannot be read (${code})`);
    }
  }
  return { given: { ...given, ...found }, problems };
}
