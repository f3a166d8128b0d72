import type { Transaction } from '../codec/parse-transaction.ts';
import { signerOf } from './fees.ts';
import { type AccountRoot, accountFlag, hasFlag } from './ledger-entry.ts';
import type { Result } from './result.ts';
import { readAccount, type View, writeAccount } from './view.ts';

/**
 * asf values and the account flag that each sets
 * (xrpl.org/docs/references/protocol/transactions/types/accountset).
 */
const flagOf: Readonly<Record<number, number>> = {
  1: accountFlag.requireDestinationTag,
  2: accountFlag.requireAuthorization,
  3: accountFlag.disallowIncomingXRP,
  4: accountFlag.disableMasterKey,
  6: accountFlag.noFreeze,
  7: accountFlag.globalFreeze,
  8: accountFlag.defaultRipple,
  9: accountFlag.depositAuth,
  12: accountFlag.disallowIncomingNFTokenOffer,
  13: accountFlag.disallowIncomingCheck,
  14: accountFlag.disallowIncomingPayChan,
  15: accountFlag.disallowIncomingTrustline,
  16: accountFlag.allowTrustLineClawback,
};
const disableMaster = 4;
/** asfAccountTxnID and asfAuthorizedNFTokenMinter: not needed here, so refused. */
const unsupported = new Set([5, 10]);
/** Transaction flags that set and clear each account flag. */
const legacyFlags: readonly (readonly [number, number, number])[] = [
  [0x00010000, 0x00020000, accountFlag.requireDestinationTag],
  [0x00040000, 0x00080000, accountFlag.requireAuthorization],
  [0x00100000, 0x00200000, accountFlag.disallowIncomingXRP],
];
const knownFlags = 0x80000000 | 0x003f0000;
const longestDomain = 256;

export function preflightAccountSet({ json, flags }: Transaction): Result {
  if ((flags & ~knownFlags) !== 0) return 'temINVALID_FLAG';
  const set = Number(json.SetFlag ?? 0);
  const clear = Number(json.ClearFlag ?? 0);
  if (unsupported.has(set) || unsupported.has(clear)) return 'temDISABLED';
  if (set !== 0 && set === clear) return 'temINVALID_FLAG';
  for (const [on, off] of legacyFlags) {
    if (hasFlag(flags, on) && hasFlag(flags, off)) return 'temINVALID_FLAG';
  }
  const rate = Number(json.TransferRate ?? 0);
  if (rate !== 0 && (rate < 1_000_000_000 || rate > 2_000_000_000)) return 'temBAD_TRANSFER_RATE';
  const tick = Number(json.TickSize ?? 0);
  if (tick !== 0 && (tick < 3 || tick > 15)) return 'temBAD_TICK_SIZE';
  const key = String(json.MessageKey ?? '');
  if (key !== '' && !/^(ED|02|03)[0-9A-F]{64}$/.test(key)) return 'telBAD_PUBLIC_KEY';
  return String(json.Domain ?? '').length > longestDomain * 2 ? 'telBAD_DOMAIN' : 'tesSUCCESS';
}

export function applyAccountSet(view: View, transaction: Transaction): Result {
  const account = readAccount(view, transaction.account);
  if (account === undefined) return 'tefINTERNAL';
  const { json } = transaction;
  if (json.SetFlag === disableMaster) {
    if (signerOf(transaction) !== account.Account) return 'tecNEED_MASTER_KEY';
    if (account.RegularKey === undefined) return 'tecNO_ALTERNATIVE_KEY';
  }
  const Flags = flagsAfter(account.Flags, transaction);
  writeAccount(view, { ...account, Flags, ...fieldsAfter(account, transaction) });
  return 'tesSUCCESS';
}

function flagsAfter(before: number, { json, flags }: Transaction): number {
  let after = before;
  for (const [on, off, flag] of legacyFlags) {
    if (hasFlag(flags, on)) after |= flag;
    if (hasFlag(flags, off)) after &= ~flag;
  }
  after |= flagOf[Number(json.SetFlag ?? 0)] ?? 0;
  after &= ~(flagOf[Number(json.ClearFlag ?? 0)] ?? 0);
  return after >>> 0;
}

/** Optional fields: an empty or default value removes the field. */
function fieldsAfter(account: AccountRoot, { json }: Transaction): Partial<AccountRoot> {
  const after: Record<string, unknown> = {};
  const removed = new Set<unknown>(['', 0, '0'.repeat(32), 1_000_000_000]);
  for (const name of ['Domain', 'EmailHash', 'MessageKey', 'TransferRate', 'TickSize'] as const) {
    const value = json[name] ?? account[name];
    after[name] = removed.has(value) ? undefined : value;
  }
  return after;
}
