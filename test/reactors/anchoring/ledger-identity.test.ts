import { test } from 'tap';
import { recogniseLedger } from '../../../src/commands/recognise-ledger.ts';
import { retireAccount } from '../../../src/commands/retire-account.ts';
import type { LedgerTip, ValidatedLedger } from '../../../src/ledger/contract.ts';
import {
  confirmLedger,
  type KnownLedger,
} from '../../../src/reactors/anchoring/ledger-identity.ts';
import { createAnchoringSite } from '../../support/anchoring-site.ts';
import { until } from '../../support/until.ts';

const known: KnownLedger = {
  ledgerId: '1-A',
  tip: { index: 1_000, hash: 'A', closeTime: 50_000 },
};
const tipAt = (index: number, closeTime: number): LedgerTip => ({ index, hash: 'T', closeTime });

/**
 * Servers that show these hashes at the known index. A null hash means that the ledger is missing.
 */
function showing(network: 'mainnet' | 'testnet', ...hashes: readonly (string | null)[]) {
  const ledgers = async () =>
    hashes.map((hash) => (hash === null ? null : ({ hash } as ValidatedLedger)));
  return { network, ledgers };
}

test('waits for a server that is behind, however far', async (t) => {
  for (const index of [999, 950, 100, 1]) {
    t.equal(await confirmLedger(showing('mainnet'), known, tipAt(index, 49_999)), false);
  }
  const noted = { ...known, tip: { index: 1_000, hash: 'A', closeTime: null } };
  t.equal(await confirmLedger(showing('testnet'), noted, tipAt(10, 60_000)), false);
});

test('recognises another ledger by its hash, or by a lower index that closed later', async (t) => {
  const other = { name: 'OtherLedger' };
  const later = tipAt(2_000, 60_000);
  await t.rejects(confirmLedger(showing('testnet', 'A', 'B'), known, later), other);
  await t.rejects(confirmLedger(showing('testnet'), known, tipAt(999, 50_001)), other);
  t.equal(await confirmLedger(showing('testnet', 'A', null), known, later), true);
});

test('if no server has the known index, mainnet is accepted and testnet is refused', async (t) => {
  const later = tipAt(2_000, 60_000);
  const unrecognised = { name: 'UnrecognisedLedger', message: /ops ledger settle --same/ };
  await t.rejects(confirmLedger(showing('testnet', null, null), known, later), unrecognised);
  t.equal(await confirmLedger(showing('mainnet', null, null), known, later), true);
});

test('when history after the known ledger is lost, anchoring resumes once an operator confirms', async (t) => {
  const site = await createAnchoringSite(t);
  const first = await site.start();
  await site.settle([await site.request()]);
  await first.stop();
  for (let count = 0; count < 5; count += 1) await site.ledger.close();
  site.ledger.faults.forgetLedgers(1, (await site.ledger.close()).ledgerIndex - 1);
  const second = await site.start();
  const proofId = await site.request({ queued: true });
  await until(
    'the process reports an unrecognised ledger',
    async () => second.running.paused() === 'unrecognised',
  );
  t.equal((await site.state(proofId)).status, 'pending');

  const [joined] = await site.store.readLog(0, 1, ['LedgerJoined']);
  if (joined?.type !== 'LedgerJoined') throw new Error('no ledger was joined');
  const { result } = await site.stranger.request({ command: 'ledger', ledger_index: 'validated' });
  const { ledger_index: index, ledger_hash: hash, ledger } = result;
  const tip = { index, hash, closeTime: Number(ledger.close_time) };
  await recogniseLedger(site.store, { ledgerId: joined.data.ledgerId, ...tip }, {});
  const [state] = await site.settle([proofId]);
  t.equal(state?.status, 'completed');
});

test('remembers ledgers seen while idle after a restart', async (t) => {
  const site = await createAnchoringSite(t);
  const first = await site.start();
  await site.settle([await site.request()]);
  const { ledgerIndex } = await site.ledger.close();
  await until('the ledger is seen', async () => first.running.seen() >= ledgerIndex);
  await first.stop();
  site.ledger.faults.forgetLedgers(1, ledgerIndex - 1);
  await site.start();
  const [state] = await site.settle([await site.request()]);
  t.equal(state?.status, 'completed');
});

test('a process without a usable ledger leaves the accounts to one that has a ledger', async (t) => {
  const site = await createAnchoringSite(t);
  let isCutOff = false;
  const gone = { connected: false, reason: 'cut off' } as const;
  await site.start({
    gateway: (real) => ({ ...real, current: () => (isCutOff ? gone : real.current()) }),
  });
  await site.settle([await site.request()]);
  isCutOff = true;
  const startedAt = performance.now();
  await site.start();
  const [state] = await site.settle([await site.request({ queued: true })]);
  t.equal(state?.status, 'completed');
  t.ok(performance.now() - startedAt < 10_000, 'within 10 s');
});

test('does not sign with an account retired while its state is being read', async (t) => {
  const site = await createAnchoringSite(t);
  const first = await site.start();
  await until('the ledger is joined', async () => first.running.ledgerId() !== null);
  const ledgerId = first.running.ledgerId() ?? '';
  await first.stop();
  const proofId = await site.request({ queued: true });
  let retired = false;
  const second = await site.start({
    gateway: (real) => ({
      ...real,
      async account(address, minLedger) {
        if (!retired) {
          retired = true;
          await retireAccount(site.store, { ledgerId, account: address }, {});
          const position = await site.store.head();
          await until(
            'the retirement is folded',
            async () => second.running.position() >= position,
          );
        }
        return real.account(address, minLedger);
      },
    }),
  });
  await site.closeUntil(() => second.running.paused() === 'noAccount');
  t.equal((await site.state(proofId)).status, 'pending');
  t.strictSame(await site.store.readLog(0, 1, ['SequencesTaken']), []);
});
