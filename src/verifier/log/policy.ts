import { isNamedBy, type ReadKey, readLogKey, readWitnessKey } from './note-key.ts';

/** Logs and witnesses that are trusted, and the witnesses that suffice (C2SP tlog-policy). */
export interface Policy {
  readonly logs: readonly (ReadKey & { readonly url: string | null })[];
  readonly witnesses: readonly Witness[];
  readonly quorum: Quorum;
}

export interface Witness {
  /** Name within the policy. */
  readonly name: string;
  readonly key: ReadKey;
  /** Prefix of the URLs at which it takes checkpoints; null if the policy states none. */
  readonly url: string | null;
}

/** Witnesses that suffice: nobody, one witness, or a number of the members of a group. */
export type Quorum =
  | { readonly kind: 'none' }
  | { readonly kind: 'witness'; readonly name: string }
  | { readonly kind: 'group'; readonly least: number; readonly members: readonly Quorum[] };

/** A mistake in a policy. The message continues the name of the policy. */
export class PolicyMistake extends Error {}

const mostEntries = 256;

/**
 * Parses a policy. Throws a `PolicyMistake`, which names the line.
 * @param logsMayShareKeys true if logs of several names may have the same key
 */
export function parsePolicy(
  text: string,
  { logsMayShareKeys = false }: { readonly logsMayShareKeys?: boolean } = {},
): Policy {
  const logs: (ReadKey & { readonly url: string | null })[] = [];
  const witnesses: Witness[] = [];
  const materials = { log: new Set<string>(), witness: new Set<string>() };
  const named = new Map<string, Quorum>();
  const members = new Set<string>();
  let quorum: Quorum | null = null;
  let entries = 0;
  const lines = text.split('\n');
  for (const [at, line] of lines.entries()) {
    const fail = (what: string): never => {
      throw new PolicyMistake(`line ${at + 1}: ${what}`);
    };
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the format forbids them
    if (/[\x00-\x08\x0b-\x1f\x7f]/.test(line)) fail('a control character is not allowed');
    const [keyword = '', ...words] = line.split(/[ \t]+/).filter((word) => word !== '');
    if (keyword === '' || keyword.startsWith('#')) continue;
    entries += 1;
    if (entries > mostEntries) fail(`a policy may have at most ${mostEntries} entries`);
    const define = (name: string, as: Quorum) => {
      if (name === 'none' || named.has(name)) fail(`the name ${name} is taken`);
      named.set(name, as);
    };
    // A signature names its key by name and id alone: one of another type would be taken for it.
    const requireOwnId = (key: ReadKey) => {
      if ([...logs, ...witnesses.map((one) => one.key)].some((other) => isNamedBy(key, other))) {
        fail('another line has a key with the same name and id');
      }
    };
    const find = (name: string): Quorum =>
      named.get(name) ?? fail(`${name} is not defined on an earlier line`);
    switch (keyword) {
      case 'log': {
        const [vkey = '', url = null] = words;
        const key = readLogKey(vkey);
        if (key === null || words.length > 2) return fail('must be: log VKEY [URL]');
        if (!logsMayShareKeys && materials.log.has(materialOf(vkey))) {
          fail('another line has the same key of a log');
        }
        requireOwnId(key);
        materials.log.add(materialOf(vkey));
        logs.push({ ...key, url });
        break;
      }
      case 'witness': {
        const [name = '', vkey = '', url = null] = words;
        const key = readWitnessKey(vkey);
        if (key === null || words.length > 3) return fail('must be: witness NAME VKEY [URL]');
        if (materials.witness.has(materialOf(vkey))) {
          fail('another line has the same key of a witness');
        }
        requireOwnId(key);
        define(name, { kind: 'witness', name });
        materials.witness.add(materialOf(vkey));
        witnesses.push({ name, key, url });
        break;
      }
      case 'group': {
        const [name = '', count = '', ...of] = words;
        const least = count === 'any' ? 1 : count === 'all' ? of.length : Number(count);
        const isNumber = /^(any|all|[1-9]\d*)$/.test(count);
        if (!isNumber || of.length === 0 || least > of.length) {
          fail('must be: group NAME all|any|NUMBER MEMBER…, with enough members');
        }
        for (const member of of) {
          if (members.has(member)) fail(`${member} is already a member of a group`);
          find(member);
          members.add(member);
        }
        define(name, { kind: 'group', least, members: of.map(find) });
        break;
      }
      case 'quorum': {
        const [name = ''] = words;
        if (words.length !== 1 || quorum !== null) fail('there must be one line: quorum NAME');
        quorum = name === 'none' ? { kind: 'none' } : find(name);
        break;
      }
      default:
        fail(`${keyword} must be log, witness, group or quorum`);
    }
  }
  if (quorum === null) throw new PolicyMistake('it has no line: quorum NAME');
  return { logs, witnesses, quorum };
}

/**
 * Parses the lines of the logs that a witness cosigns. All epochs of a log may have the same key,
 * each under its own name. Throws a `PolicyMistake`, which names the line.
 */
export function parseLogs(text: string): readonly ReadKey[] {
  return parsePolicy(`${text}\nquorum none\n`, { logsMayShareKeys: true }).logs;
}

/** True if the witnesses with these names in the policy suffice. */
export function isQuorum(quorum: Quorum, cosigned: ReadonlySet<string>): boolean {
  switch (quorum.kind) {
    case 'none':
      return true;
    case 'witness':
      return cosigned.has(quorum.name);
    case 'group':
      return quorum.members.filter((one) => isQuorum(one, cosigned)).length >= quorum.least;
  }
}

function materialOf(vkey: string): string {
  return vkey.split('+').slice(2).join('+');
}
