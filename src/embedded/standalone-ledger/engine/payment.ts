import { isAddress } from '../codec/ledger-keys.ts';
import type { Transaction } from '../codec/parse-transaction.ts';
import { accountReserve } from './fees.ts';
import { accountFlag, hasFlag, untouched } from './ledger-entry.ts';
import type { Result } from './result.ts';
import { type ReadView, readAccount, type View, writeAccount } from './view.ts';

/** tfNoRippleDirect, tfPartialPayment and tfLimitQuality: invalid between XRP balances. */
const pathFlags = 0x00010000 | 0x00020000 | 0x00040000;
const universalFlags = 0x80000000;

/** XRP-to-XRP payments only: other currencies result in temDISABLED. */
export function preflightPayment({ json, account, flags }: Transaction): Result {
  if ((flags & ~(pathFlags | universalFlags)) !== 0) return 'temINVALID_FLAG';
  if (typeof json.Amount !== 'string') return 'temDISABLED';
  if (!isAddress(json.Destination)) return 'temINVALID';
  if (BigInt(json.Amount) <= 0n) return 'temBAD_AMOUNT';
  if (json.SendMax !== undefined) return 'temBAD_SEND_XRP_MAX';
  if (json.Destination === account) return 'temREDUNDANT';
  if (json.Paths !== undefined) return 'temBAD_SEND_XRP_PATHS';
  return (flags & pathFlags) !== 0 ? 'temINVALID_FLAG' : 'tesSUCCESS';
}

export function preclaimPayment(view: ReadView, { json }: Transaction): Result {
  const destination = readAccount(view, String(json.Destination));
  if (destination === undefined) {
    return BigInt(String(json.Amount)) < accountReserve(0) ? 'tecNO_DST_INSUF_XRP' : 'tesSUCCESS';
  }
  const needsTag = hasFlag(destination.Flags, accountFlag.requireDestinationTag);
  return needsTag && json.DestinationTag === undefined ? 'tecDST_TAG_NEEDED' : 'tesSUCCESS';
}

/** Moves XRP. A missing destination is created with the ledger's index as Sequence. */
export function applyPayment(
  view: View,
  transaction: Transaction,
  priorBalance: bigint,
  ledgerIndex: number,
): Result {
  const source = readAccount(view, transaction.account);
  if (source === undefined) return 'tefINTERNAL';
  const amount = BigInt(String(transaction.json.Amount));
  const address = String(transaction.json.Destination);
  const left = priorBalance - amount;
  const isTooMuch = left < accountReserve(source.OwnerCount) || left < transaction.feeDrops;
  if (isTooMuch) return 'tecUNFUNDED_PAYMENT';
  const destination = readAccount(view, address);
  if (destination !== undefined && hasFlag(destination.Flags, accountFlag.depositAuth)) {
    const poor = BigInt(destination.Balance) <= accountReserve(0) && amount <= accountReserve(0);
    if (!poor) return 'tecNO_PERMISSION';
  }
  writeAccount(view, { ...source, Balance: String(BigInt(source.Balance) - amount) });
  writeAccount(
    view,
    destination === undefined
      ? {
          LedgerEntryType: 'AccountRoot',
          Account: address,
          Balance: String(amount),
          Flags: 0,
          OwnerCount: 0,
          Sequence: ledgerIndex,
          ...untouched,
        }
      : {
          ...destination,
          Balance: String(BigInt(destination.Balance) + amount),
          Flags: (destination.Flags & ~accountFlag.passwordSpent) >>> 0,
        },
  );
  return 'tesSUCCESS';
}
