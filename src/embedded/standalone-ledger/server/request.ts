import type { JsonObject } from '../codec/json.ts';
import { isAddress } from '../codec/ledger-keys.ts';
import { invalidParams, RpcError } from './rpc-error.ts';

/** A parsed command. The functions below read its parameters. */
export interface Request {
  readonly command: string;
  readonly apiVersion: number;
  readonly parameters: JsonObject;
}

export function accountOf({ parameters }: Request): string {
  const { account } = parameters;
  if (account === undefined) throw invalidParams("Missing field 'account'.");
  if (typeof account !== 'string') throw invalidParams("Invalid field 'account'.");
  if (!isAddress(account)) throw new RpcError('actMalformed');
  return account;
}

export function flagOf({ parameters }: Request, name: string): boolean {
  return parameters[name] === true;
}

/** A whole number from 0 to 2³² − 1, also if written as text; undefined if absent. */
export function unsignedOf({ parameters }: Request, name: string): number | undefined {
  const value = parameters[name];
  if (value === undefined) return undefined;
  const number = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  if (
    typeof number !== 'number' ||
    !Number.isInteger(number) ||
    number < 0 ||
    number > 0xffffffff
  ) {
    throw invalidParams(`Invalid field '${name}'.`);
  }
  return number;
}
