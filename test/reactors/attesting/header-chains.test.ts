import { bytesToHex } from '@noble/hashes/utils.js';
import { test } from 'tap';
import { HeaderChains } from '../../../src/reactors/attesting/header-chains.ts';
import { laterHeaders, writeHeader } from '../../support/synthetic-network.ts';

test('of too many headers those that were not used for the longest time are forgotten', async (t) => {
  const first = writeHeader({ index: 100, closeTime: 800_000_000 });
  const headers = [first, ...laterHeaders(first, 8)];
  const asked: number[] = [];
  const header = async (index: number) => {
    asked.push(index);
    return bytesToHex(headers.find((one) => one.index === index)?.bytes ?? new Uint8Array());
  };
  const chains = new HeaderChains({ header }, 6);
  /** Indexes that are asked for to walk back from one ledger to another. */
  const walk = async (from: number, to: number) => {
    asked.length = 0;
    const ledgerHash = headers[from - 100]?.hash.toUpperCase() ?? '';
    const signed = { ledgerId: '1-A', ledgerIndex: from, ledgerHash, attestedIndex: from };
    const found = await chains.between({ ledgerIndex: to }, signed);
    t.equal(found?.length, from - to);
    return [...asked];
  };
  t.strictSame(await walk(108, 105), [108, 107, 106]);
  t.strictSame(await walk(105, 102), [105, 104, 103]);
  t.strictSame(await walk(108, 105), []);
  t.strictSame(await walk(102, 100), [102, 101]);
  t.strictSame(await walk(108, 105), [], 'those used last are still known');
  t.strictSame(await walk(105, 103), [105, 104]);
});
