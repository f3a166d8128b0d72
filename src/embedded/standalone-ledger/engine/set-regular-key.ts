import { isAddress } from '../codec/ledger-keys.ts';
import type { Transaction } from '../codec/parse-transaction.ts';
import { baseFeeOf } from './fees.ts';
import { accountFlag, hasFlag } from './ledger-entry.ts';
import type { Result } from './result.ts';
import { readAccount, type View, writeAccount } from './view.ts';

export function preflightSetRegularKey({ json, account }: Transaction): Result {
  return json.RegularKey === account ? 'temBAD_REGKEY' : 'tesSUCCESS';
}

/** Sets or removes the regular key. The free key change can be used once until XRP is received. */
export function applySetRegularKey(view: View, transaction: Transaction): Result {
  const account = readAccount(view, transaction.account);
  if (account === undefined) return 'tefINTERNAL';
  const isFree = baseFeeOf(view, transaction) === 0n;
  const Flags = isFree ? (account.Flags | accountFlag.passwordSpent) >>> 0 : account.Flags;
  const { RegularKey: _, ...rest } = account;
  const key = transaction.json.RegularKey;
  if (isAddress(key)) {
    writeAccount(view, { ...rest, Flags, RegularKey: key });
    return 'tesSUCCESS';
  }
  if (hasFlag(account.Flags, accountFlag.disableMasterKey)) return 'tecNO_ALTERNATIVE_KEY';
  writeAccount(view, { ...rest, Flags });
  return 'tesSUCCESS';
}
