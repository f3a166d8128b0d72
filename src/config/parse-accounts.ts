import { encode } from 'ripple-binary-codec';
import { deriveAddress } from 'ripple-keypairs';
import { deriveKeyPair } from '../ledger/derive-key-pair.ts';
import { Secret } from './secret.ts';
import { Mistake } from './variable.ts';

/** Error messages name an entry by its number: they never repeat a seed or a part of a seed. */
export function parseAccounts(text: string): ParsedAccount[] {
  const entries = text.split(',').map((entry) => entry.trim());
  const mistakes: Mistake[] = [];
  const accounts: ParsedAccount[] = [];
  entries.forEach((entry, index) => {
    const account = parseAccount(entry);
    const name = `entry ${index + 1}`;
    if (typeof account === 'string') mistakes.push(new Mistake(`${name}: ${account}`));
    else if (accounts.some(({ address }) => address === account.address)) {
      mistakes.push(new Mistake(`${name}: its account is named twice`));
    } else accounts.push(account);
  });
  if (mistakes.length > 0) throw new AggregateError(mistakes);
  return accounts;
}

/** An account as parsed. Without a seed and a key of AWS KMS, nothing can be signed for it here. */
export interface ParsedAccount {
  readonly address: string;
  /** Upper-case hex, of the seed: the account's master key, or its regular key; null without it. */
  readonly publicKey: string | null;
  readonly seed: Secret<string> | null;
  /** Id, alias or ARN of a key of AWS KMS; null if the key is not there. */
  readonly kmsKey: string | null;
}

export function parseOneAccount(text: string): ParsedAccount {
  const account = parseAccount(text.trim());
  if (typeof account === 'string') throw new Mistake(account);
  return account;
}

/** The public keys and keys of AWS KMS in the lists. Entries that are not valid are ignored. */
export function keysIn(...lists: readonly (string | undefined)[]): string[] {
  return lists.flatMap(accountsIn).flatMap(({ publicKey, kmsKey }) => publicKey ?? kmsKey ?? []);
}

export function accountsIn(list = ''): ParsedAccount[] {
  return list.split(',').flatMap((entry) => {
    const account = parseAccount(entry.trim());
    return typeof account === 'string' ? [] : [account];
  });
}

const forms = '`seed`, `address:seed`, `address:kms:key` or `address`';

function parseAccount(entry: string): ParsedAccount | string {
  const [, given = '', kmsKey = null] = /^([^:]*):kms:(\S+)$/.exec(entry) ?? ['', entry];
  if (isAddress(given)) return { address: given, publicKey: null, seed: null, kmsKey };
  if (kmsKey !== null) return 'the address before `:kms:` is not valid';
  const [seed, address, ...more] = entry.split(':').reverse();
  if (seed === undefined || more.length > 0) return `must be ${forms}`;
  let publicKey: string;
  try {
    publicKey = deriveKeyPair(seed).publicKey;
  } catch {
    return `must be ${forms}: the seed or address is not valid`;
  }
  if (address !== undefined && !isAddress(address))
    return 'the address before the colon is not valid';
  const own = address ?? deriveAddress(publicKey);
  return { address: own, publicKey, seed: new Secret(seed), kmsKey: null };
}

function isAddress(text: string): boolean {
  try {
    // The codec checks the checksum, but also accepts hex, so require the `r`.
    return text.startsWith('r') && encode({ Account: text }).length > 0;
  } catch {
    return false;
  }
}
