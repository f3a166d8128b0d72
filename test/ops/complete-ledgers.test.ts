import { test } from 'tap';
import { completedInWords } from '../../ops/ledger/completed-in-words.ts';
import { streams } from '../../src/domain/streams.ts';
import { decodeBase64 } from '../../src/verifier/evidence/base64.ts';
import { followChain } from '../../src/verifier/evidence/header-chain.ts';
import { pathFromLeaves } from '../../src/verifier/evidence/path-from-leaves.ts';
import { followPath } from '../../src/verifier/evidence/transaction-path.ts';
import { type AnchoredLedger, anchorInLedger } from '../support/attested-ledger.ts';
import { startHistoryServer } from '../support/history-server.ts';
import {
  attestedAt,
  createHistorySite,
  firstIndex,
  type HistorySite,
  ledgerId,
  provenLedgers,
} from '../support/history-site.ts';

/** Follows the recorded links of a ledger, with every transaction's path. */
async function attestedIndexOf(site: HistorySite, index: number) {
  const ledger = site.chain[index - firstIndex] as AnchoredLedger;
  const event = await site.linkOf(index);
  if (event === null) throw new Error(`ledger ${index} is not attested`);
  const leaves = Buffer.from(event.data.leaves, 'base64');
  for (const [nth, item] of ledger.items.entries()) {
    const path = pathFromLeaves(leaves, ledger.transactions[nth]?.hash ?? '');
    if (followPath(item, path) !== ledger.header.transactionRoot) throw new Error('another root');
  }
  if (event.type === 'LedgerAttested') return index;
  const { next, links, attestedIndex } = event.data;
  const last = followChain(ledger.header, decodeBase64(links, 100_000, 'links'));
  if (last.hash.toUpperCase() !== next.ledgerHash) throw new Error('the links lead elsewhere');
  return attestedIndex;
}

test('older ledgers are linked to the next attested one, with all paths', async (t) => {
  const site = await createHistorySite(t);
  const { completed, tooFar, withoutHistory, faults, progress } = await site.complete();
  t.strictSame(
    { completed, tooFar, withoutHistory, faults },
    {
      completed: [1_006, 1_004, 1_001],
      ...{ tooFar: [], withoutHistory: [], faults: [] },
    },
  );
  for (const index of completed) t.equal(await attestedIndexOf(site, index), attestedAt);
  t.match(await site.linkOf(1_001), { data: { next: { ledgerIndex: 1_004 } } });
  t.strictSame(progress.slice(-2), [8, 8], 'each header is asked for once');
  const before = site.server.asked.length;
  t.equal(before, 8 + 3, 'and each ledger with proofs');
  t.match(await site.complete(), { completed: [], faults: [] });
  t.equal(site.server.asked.length, before, 'nothing is left to ask for');
});

test('an interrupted run is continued, and nothing is recorded twice', async (t) => {
  const site = await createHistorySite(t);
  let left = 6;
  site.server.answerWith((_, result) => {
    left -= 1;
    return left >= 0 ? result : null;
  });
  await t.rejects(site.complete(), /no usable answer about ledger/);
  t.equal(await attestedIndexOf(site, 1_006), attestedAt);
  t.equal(await site.linkOf(1_001), null);
  site.server.answerWith((_, result) => result);
  t.strictSame((await site.complete()).completed, [1_004, 1_001]);
  for (const index of provenLedgers.keys()) {
    t.equal(await attestedIndexOf(site, index), attestedAt);
    t.equal(await site.store.versionOf(streams.attestation(ledgerId, index)), 1);
  }
});

test('a lying server records nothing, and another one is asked', async (t) => {
  const site = await createHistorySite(t);
  const lying = await startHistoryServer(t, site.chain);
  const other = site.chain[3] as AnchoredLedger;
  for (const lie of [
    () => ({ ledger: { ledger_data: Buffer.from(other.header.bytes).toString('hex') } }),
    () => ({ ledger: {} }),
    (_: number, result: object) => ({
      ...result,
      ledger: { ...(result as { ledger: object }).ledger, transactions: [] },
    }),
  ]) {
    lying.answerWith(lie);
    const alone = await site.complete([lying.url]).catch(() => null);
    t.strictSame(alone?.completed ?? [], []);
    for (const index of provenLedgers.keys()) t.equal(await site.linkOf(index), null);
  }
  const { completed } = await site.complete([lying.url, site.server.url]);
  t.equal(completed.length, 3);
  for (const index of completed) t.equal(await attestedIndexOf(site, index), attestedAt);
});

test('a server without the history is no fault of the log', async (t) => {
  const site = await createHistorySite(t);
  const young = await startHistoryServer(t, site.chain.slice(5));
  t.match(await site.complete([young.url]), {
    ...{ completed: [1_006], withoutHistory: [1_004, 1_001], faults: [] },
  });
});

test('ledgers before too long a chain are left alone', async (t) => {
  const site = await createHistorySite(t);
  t.match(await site.complete([site.server.url], 5), {
    ...{ completed: [1_006, 1_004], tooFar: [1_001] },
  });
  t.match(await site.complete(), { completed: [1_001] });
});

test('a record that contradicts the history is a fault, and the others are linked', async (t) => {
  const site = await createHistorySite(t);
  const foreign = await anchorInLedger(site.store, [], { ledgerId, index: 1_003, others: 2 });
  const [event] = (await site.store.readLog(0, 1_000, ['Anchored'])).slice(-1);
  const bytes = Buffer.from(foreign.header.bytes).toString('hex').toUpperCase();
  const ledgerHash = foreign.header.hash.toUpperCase();
  const changes = [
    { ledgerIndex: 1_003, ledgerHash, ledgerHeader: bytes },
    { metadata: '00' },
    { transactionHash: 'AB'.repeat(32) },
    { ledgerIndex: 1_002, ledgerHash: '11'.repeat(32) },
  ];
  for (const [n, change] of changes.entries()) {
    const data = { ...event?.data, ...change };
    const entry = { stream: `other-${n}`, organisationId: null, expectedVersion: 0 };
    await site.store.append([{ ...entry, events: [{ type: 'Anchored', data } as never] }], {});
  }
  const { completed, faults } = await site.complete();
  t.strictSame(completed, [1_004, 1_001], 'they are linked past the ledgers with faults');
  for (const index of completed) t.equal(await attestedIndexOf(site, index), attestedAt);
  t.match(faults, [
    /ledger 1006 has other metadata/,
    /ledger 1003 .* is not in the chain of the attested ledger 1009/,
    /the recorded header of ledger 1002 does not have the recorded hash/,
  ]);
});

test('a forged ledger of the same index is a fault, and the true one is linked', async (t) => {
  const site = await createHistorySite(t);
  const foreign = await anchorInLedger(site.store, [], { ledgerId, index: 1_004, others: 2 });
  const [event] = (await site.store.readLog(0, 1_000, ['Anchored'])).slice(-1);
  const ledgerHeader = Buffer.from(foreign.header.bytes).toString('hex').toUpperCase();
  const ledgerHash = foreign.header.hash.toUpperCase();
  const data = { ...event?.data, ledgerIndex: 1_004, ledgerHash, ledgerHeader };
  const entry = { stream: 'forged', organisationId: null, expectedVersion: 0 };
  await site.store.append([{ ...entry, events: [{ type: 'Anchored', data } as never] }], {});
  const { completed, faults } = await site.complete();
  t.strictSame(completed, [1_006, 1_004, 1_001]);
  t.equal(await attestedIndexOf(site, 1_004), attestedAt);
  t.match(faults, [/ledger 1004 with hash .* is not in the chain of the attested ledger 1009/]);
  t.equal(faults.length, 1);
});

test('ledgers whose validations may still come are left to the service', async (t) => {
  const site = await createHistorySite(t);
  t.match(await site.complete([site.server.url], 100, 600_000), {
    ...{ completed: [], tooFar: [], withoutHistory: [], faults: [] },
  });
  t.match(await site.complete([site.server.url], 0, 600_000), { completed: [], tooFar: [] });
  t.equal((await site.complete()).completed.length, 3);
});

test('ledgers after the last attested one are not too far back', async (t) => {
  const site = await createHistorySite(t);
  await anchorInLedger(site.store, [], { ledgerId, index: 1_020, others: 2 });
  const [event] = (await site.store.readLog(0, 1_000, ['Anchored'])).slice(-1);
  const data = { ...event?.data, ledgerIndex: 1_020 };
  const entry = { stream: 'newest', organisationId: null, expectedVersion: 0 };
  await site.store.append([{ ...entry, events: [{ type: 'Anchored', data } as never] }], {});
  t.match(await site.complete([site.server.url], 0, 600_000), { noneLater: [], tooFar: [] });
  const { noneLater, tooFar } = await site.complete([site.server.url], 5);
  t.strictSame({ noneLater, tooFar }, { noneLater: [1_020], tooFar: [1_001] });
});

test('the result says what each ledger lacks, for one and for several', (t) => {
  const chain = { ledgerId: '1-A', completed: [], withoutHistory: [], faults: [] };
  const text = (noneLater: readonly number[], tooFar: readonly number[]) =>
    completedInWords({
      chains: [{ ...chain, noneLater, tooFar }],
      ...{ troubles: [], most: 9, isAtFault: false },
    });
  t.match(text([], [5]), /^1-A: ledger 5 has no attested ledger within the next 9 ledgers\./);
  t.match(text([], [7, 5]), /^1-A: 2 ledgers \(5 to 7\) have no attested ledger within/);
  t.match(text([5], []), /^1-A: ledger 5 has no later attested ledger yet\. Run the command again/);
  t.match(text([7, 5], []), /^1-A: 2 ledgers \(5 to 7\) have no later attested ledger yet\./);
  t.end();
});
