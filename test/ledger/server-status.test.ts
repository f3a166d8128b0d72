import { test } from 'tap';
import { feesOf, UnreadableFees } from '../../src/ledger/server-status.ts';

const validated_ledger = { base_fee_xrp: 0.00001 };
const rippled = (load: object) => ({ info: { build_version: '3.1.0', validated_ledger, ...load } });
const clio = (load: object) => ({ info: { rippled_version: '3.1.0', validated_ledger, ...load } });
/** Clio's answer while its rippled does not answer. */
const clioAlone = { info: { clio_version: '2.7.0', load_factor: 1, validated_ledger } };

const feeWith = (drops?: Readonly<Record<string, string>>) => ({
  expected_ledger_size: '200',
  ...(drops === undefined ? {} : { drops }),
});
const quiet = feeWith({ minimum_fee: '10', open_ledger_fee: '10' });
const full = feeWith({ minimum_fee: '10', open_ledger_fee: '5000' });
const fullQueue = feeWith({ minimum_fee: '300', open_ledger_fee: '5000' });

for (const [what, serverInfo, fee, openLedgerFeeDrops, queueFeeDrops] of [
  ['a rippled with an own load', rippled({ load_factor: 500 }), quiet, 5_000, 5_000],
  ['a crowded rippled', rippled({ load_factor: 500, load_factor_server: 1 }), full, 5_000, 10],
  ['a crowded Clio', clio({ load_factor: 500 }), full, 5_000, 10],
  ['a Clio whose queue is full', clio({ load_factor: 500 }), fullQueue, 5_000, 300],
  ['a Clio that forwards the own load', clio({ load_factor_server: 3 }), quiet, 10, 30],
  ['a Clio that forwards no server_info', clioAlone, full, 5_000, 10],
  ['a Clio that forwards nothing', clioAlone, feeWith(), null, 10],
  ['a crowd that came after server_info', rippled({ load_factor: 1 }), full, 5_000, 10],
  ['no load factor', rippled({}), full, 5_000, 10],
  ['no load factor and no fees', rippled({}), feeWith(), null, 10],
] as const) {
  test(`fees of ${what}: ${openLedgerFeeDrops} in the open ledger, ${queueFeeDrops} in the queue`, async (t) => {
    const fees = feesOf(serverInfo, fee);
    t.match(fees, { baseFeeDrops: 10, openLedgerFeeDrops, queueFeeDrops });
  });
}

for (const open_ledger_fee of ['much', '-1', '0', 'Infinity']) {
  test(`an open_ledger_fee of ${open_ledger_fee} alone is no fee`, async (t) => {
    t.throws(() => feesOf(rippled({}), feeWith({ open_ledger_fee })), UnreadableFees);
  });
}
