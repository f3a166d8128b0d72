import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { hashes } from 'xrpl';
import { ledgerHash } from '../../../src/verifier/check/ledger-hash.ts';

const samples = join(import.meta.dirname, '../../embedded/standalone-ledger/samples');

interface Held {
  readonly tx_blob?: string;
  readonly hash?: string;
  readonly ledger_hash?: string;
  readonly ledger?: { readonly ledger_data?: string; readonly transactions?: readonly Held[] };
}

/** Answer of a real rippled. */
const answers: Held[] = globSync('{tx,ledger}.*.json', { cwd: samples }).flatMap((file) => {
  const { response } = JSON.parse(readFileSync(join(samples, file), 'utf8'));
  return typeof response?.result === 'object' ? [response.result] : [];
});

test('transactions of a real rippled have its hashes', async (t) => {
  const listed = answers.flatMap(({ ledger }) => ledger?.transactions ?? []);
  const held = [...answers, ...listed].filter(({ tx_blob, hash }) => tx_blob && hash);
  t.ok(held.length > 3);
  for (const { tx_blob = '', hash } of held) {
    t.equal(ledgerHash('transaction', tx_blob), hash);
    t.equal(ledgerHash('transaction', tx_blob), hashes.hashSignedTx(tx_blob), 'same as xrpl');
  }
});

test('ledger headers of a real rippled have its hashes', async (t) => {
  const held = answers.filter(({ ledger, ledger_hash }) => ledger?.ledger_data && ledger_hash);
  t.ok(held.length > 0);
  for (const { ledger, ledger_hash } of held) {
    t.equal(ledgerHash('ledger', ledger?.ledger_data ?? ''), ledger_hash);
  }
});
