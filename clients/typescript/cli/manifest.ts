import { wrongUse } from './ending.ts';

export interface ManifestEntry {
  readonly name: string;
  /** SHA-256, lower-case hex. */
  readonly hash: string;
}

/**
 * Reads the output of `sha256sum`, also with `--tag`. A line that begins with a backslash has an escaped
 * name (line breaks, backslashes). Throws INVALID_OPTION with the number of a malformed line.
 */
export function readManifest(text: string): ManifestEntry[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const entries = lines.flatMap((line, at) => {
    if (line === '' || line.startsWith('#')) return [];
    const found = plain.exec(line) ?? tagged.exec(line);
    const { escaped, hash, name } = found?.groups ?? {};
    if (hash === undefined || name === undefined) {
      throw wrongUse(`manifest: line ${at + 1} is not "SHA-256  NAME", as sha256sum writes it`);
    }
    return [{ hash: hash.toLowerCase(), name: escaped ? unescaped(name) : name }];
  });
  if (entries.length === 0) throw wrongUse('manifest: it is empty, so there is nothing to prove');
  return entries;
}

const plain = /^(?<escaped>\\?)(?<hash>[0-9a-fA-F]{64}) [ *](?<name>.+)$/;
const tagged = /^(?<escaped>\\?)SHA256 \((?<name>.+)\) = (?<hash>[0-9a-fA-F]{64})$/;
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', '\\': '\\' };

function unescaped(name: string): string {
  return name.replace(/\\([nr\\])/g, (_, letter: string) => escapes[letter] ?? letter);
}
