import { isValidClassicAddress } from 'ripple-address-codec';
import { type ReadKey, readLogKey } from '../../../src/verifier/log/note-key.ts';
import { type Policy, PolicyMistake, parsePolicy } from '../../../src/verifier/log/policy.ts';
import type { TrustOptions } from '../src/verify/contract.ts';

/** An option is malformed. The message names it. */
export class WrongOption extends Error {}

/** Options in the form that the checks take. */
export interface Known {
  readonly fileHash: string | null;
  readonly accounts: readonly string[] | null;
  readonly logKeys: readonly ReadKey[] | null;
  readonly policy: Policy | null;
  readonly validatorListKeys: readonly string[];
  readonly issuerKeys: readonly ReadKey[];
}

/** Reads what the caller knows. Throws a `WrongOption`. Names of the client and of its command line. */
export function readOptions(fileHash: string | null, options: TrustOptions): Known {
  if (fileHash !== null && !/^[a-f0-9]{64}$/i.test(fileHash)) {
    throw new WrongOption('hash: must be 64 hexadecimal characters');
  }
  const { accounts = null, validatorListKeys = [], issuerKeys = [] } = options;
  const policy = options.policy === undefined ? null : readPolicy(options.policy);
  const logKeys = [...(options.logKeys ?? []).map(logKeyOf), ...(policy?.logs ?? [])];
  const isKnown = options.logKeys !== undefined || logKeys.length > 0;
  return {
    ...{ fileHash: fileHash?.toLowerCase() ?? null, policy },
    accounts: accounts?.map(readAccount) ?? null,
    logKeys: isKnown ? logKeys : null,
    validatorListKeys: validatorListKeys.map(readListKey),
    issuerKeys: issuerKeys.map(issuerKeyOf),
  };
}

function readAccount(address: string): string {
  if (isValidClassicAddress(address)) return address;
  throw new WrongOption(`accounts: "${cut(address)}" is not an account address (r…)`);
}

function logKeyOf(vkey: string): ReadKey {
  const key = readLogKey(vkey);
  if (key !== null) return key;
  throw new WrongOption(`logKeys: "${cut(vkey)}" is not a key of a log (NAME+ID+KEY)`);
}

function issuerKeyOf(vkey: string): ReadKey {
  const key = readLogKey(vkey);
  if (key !== null) return key;
  throw new WrongOption(`issuerKeys: "${cut(vkey)}" is not a key of an issuer (NAME+ID+KEY)`);
}

function readListKey(key: string): string {
  if (/^(?:ED|0[23])[A-F0-9]{64}$/.test(key.toUpperCase())) return key.toUpperCase();
  const form = '66 hexadecimal digits, beginning with ED, 02 or 03';
  throw new WrongOption(`validatorListKeys: "${cut(key)}" must be ${form}`);
}

function readPolicy(text: string): Policy {
  try {
    return parsePolicy(text);
  } catch (error) {
    if (error instanceof PolicyMistake) throw new WrongOption(`policy: ${error.message}`);
    throw error;
  }
}

function cut(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
