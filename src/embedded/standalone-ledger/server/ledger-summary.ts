import type { StoredLedger } from '../chain/history.ts';
import type { JsonObject } from '../codec/json.ts';
import { baseFeeDrops, reserveBaseDrops, reserveIncrementDrops } from '../engine/fees.ts';

/** Message of the `ledger` stream about a validated ledger, at subscription and at every close. */
export function ledgerSummary({ header, hash }: StoredLedger, completeLedgers: string): JsonObject {
  return {
    fee_base: Number(baseFeeDrops),
    ledger_hash: hash,
    ledger_index: header.ledgerIndex,
    ledger_time: header.closeTime,
    reserve_base: Number(reserveBaseDrops),
    reserve_inc: Number(reserveIncrementDrops),
    validated_ledgers: completeLedgers,
  };
}
