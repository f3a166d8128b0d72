import { deriveAddress } from 'ripple-keypairs';
import type { Transaction } from '../codec/parse-transaction.ts';
import { accountFlag, hasFlag } from './ledger-entry.ts';
import { type ReadView, readAccount } from './view.ts';

/** Drops: the values of mainnet since December 2024 and of the recorded server. */
export const baseFeeDrops = 10n;
export const reserveBaseDrops = 1_000_000n;
export const reserveIncrementDrops = 200_000n;

export function accountReserve(ownerCount: number): bigint {
  return reserveBaseDrops + BigInt(ownerCount) * reserveIncrementDrops;
}

/** Minimum fee in drops: zero for the one free SetRegularKey that the master key may sign. */
export function baseFeeOf(view: ReadView, transaction: Transaction): bigint {
  if (transaction.type !== 'SetRegularKey') return baseFeeDrops;
  const account = readAccount(view, transaction.account);
  const spent = account !== undefined && hasFlag(account.Flags, accountFlag.passwordSpent);
  return !spent && signerOf(transaction) === transaction.account ? 0n : baseFeeDrops;
}

const addresses = new Map<string, string>();

/** Address of the signing key; empty if the key is invalid. */
export function signerOf(transaction: Transaction): string {
  const key = transaction.signingKey;
  const known = addresses.get(key);
  if (known !== undefined) return known;
  if (addresses.size >= 10_000) addresses.clear();
  let address = '';
  try {
    address = deriveAddress(key);
  } catch {
    // an invalid key belongs to no account
  }
  addresses.set(key, address);
  return address;
}
