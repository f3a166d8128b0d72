import fc from 'fast-check';
import { test } from 'tap';
import type { LedgerGateway, ValidatedLedger } from '../../../src/ledger/contract.ts';
import { LedgerReader } from '../../../src/reactors/anchoring/ledger-reader.ts';
import type { Outstanding } from '../../../src/reactors/anchoring/outstanding.ts';

const hashOf = (index: number) => `L${index}`;

/** Gap fills stand for any outstanding transaction, since the reader uses only `signed`. */
function outstanding(transactionHash: string, minLedger: number): Outstanding {
  const signed = {
    ledgerId: '1',
    transactionHash,
    blob: '',
    account: 'r',
    sequence: 1,
    feeDrops: 10,
    minLedger,
    lastLedgerSequence: minLedger + 8,
    replaces: null,
  };
  const gapFill = { ...signed, eventId: '', replaced: [] };
  return { kind: 'gapFill', gapFill, signed, replaced: [] };
}

/** A chain of ledgers with the given transactions, on a server that lacks some ledgers. */
function scripted(content: ReadonlyMap<number, readonly string[]>, missing: ReadonlySet<number>) {
  const ledger = (index: number): ValidatedLedger => ({
    index,
    hash: hashOf(index),
    parentHash: hashOf(index - 1),
    closeTime: index,
    header: '',
    transactions: (content.get(index) ?? []).map((hash) => ({ hash, blob: '', metadata: '' })),
  });
  const reads: number[] = [];
  const lookUps: string[] = [];
  const gateway: Pick<LedgerGateway, 'ledger' | 'lookUp'> = {
    async ledger(index) {
      reads.push(index);
      return missing.has(index) ? null : ledger(index);
    },
    async lookUp(hash, range) {
      lookUps.push(hash);
      const at = [...content].find(
        ([index, hashes]) => hashes.includes(hash) && !missing.has(index),
      );
      if (at) {
        const rest = { closeTime: 0, result: 'tesSUCCESS', account: 'r', memos: [] };
        return { found: 'validated', ledgerIndex: at[0], ledgerHash: hashOf(at[0]), ...rest };
      }
      const { minLedger = 0, maxLedger = 0 } = range ?? {};
      const gaps = [...missing].some((index) => index >= minLedger && index <= maxLedger);
      return { found: 'absent', searchedAll: !gaps };
    },
  };
  return { gateway, reads, lookUps };
}

async function advance(
  reader: LedgerReader,
  tip: number,
  open: Map<string, Outstanding>,
): Promise<string[]> {
  const reported: string[] = [];
  await reader.advance({ index: tip, hash: hashOf(tip), closeTime: tip }, open, async (fates) => {
    for (const { item, fate } of fates) {
      const { transactionHash } = item.signed;
      reported.push(`${transactionHash} ${fate.fate}`);
      open.delete(transactionHash);
    }
  });
  return reported;
}

test('says how far it has read, in spite of a ledger that comes late', async (t) => {
  const missing = new Set([11]);
  const { gateway } = scripted(new Map([[11, ['A']]]), missing);
  const reader = new LedgerReader(gateway);
  const open = new Map([
    ['A', outstanding('A', 10)],
    ['B', outstanding('B', 10)],
  ]);
  await advance(reader, 12, open);
  t.equal(reader.readTo, 10);
  await advance(reader, 13, open);
  t.equal(reader.readTo, 10);
  missing.clear();
  t.strictSame(await advance(reader, 14, open), ['A validated']);
  t.equal(reader.readTo, 14);
  missing.add(15);
  await advance(reader, 15, open);
  t.equal(reader.readTo, 14);
  await advance(reader, 18, open);
  t.equal(reader.readTo, 14);
  await advance(reader, 19, open);
  t.equal(reader.readTo, 19, 'the server may have lost it');
});

test('reads each ledger once, and none while nothing is outstanding', async (t) => {
  const { gateway, reads } = scripted(new Map([[13, ['A']]]), new Set());
  const reader = new LedgerReader(gateway);
  await advance(reader, 10, new Map());
  t.strictSame(reads, []);
  const open = new Map([['A', outstanding('A', 10)]]);
  t.strictSame(await advance(reader, 11, open), []);
  t.strictSame(await advance(reader, 11, open), []);
  t.strictSame(await advance(reader, 13, open), ['A validated']);
  t.strictSame(await advance(reader, 20, open), []);
  t.strictSame(reads, [11, 12, 13]);
});

test('searches a ledger for what is noticed after it was read, without reading it again', async (t) => {
  const content = new Map([[12, ['A', 'B']]]);
  const { gateway, reads } = scripted(content, new Set());
  const reader = new LedgerReader(gateway);
  t.strictSame(await advance(reader, 12, new Map([['A', outstanding('A', 10)]])), ['A validated']);
  t.strictSame(await advance(reader, 12, new Map([['B', outstanding('B', 11)]])), ['B validated']);
  t.strictSame(reads, [11, 12]);
  t.equal(reader.newestRead, 12);
  reader.restart();
  t.equal(reader.newestRead, 0);
});

test('reports a transaction as absent at its last ledger, not before', async (t) => {
  const { gateway } = scripted(new Map(), new Set());
  const reader = new LedgerReader(gateway);
  const open = new Map([['A', outstanding('A', 10)]]);
  t.strictSame(await advance(reader, 17, open), []);
  t.strictSame(await advance(reader, 18, open), ['A absent']);
});

test('after a restart reads again from before everything outstanding', async (t) => {
  const { gateway, reads } = scripted(new Map([[12, ['A']]]), new Set());
  const reader = new LedgerReader(gateway);
  const open = new Map([['A', outstanding('A', 10)]]);
  t.strictSame(await advance(reader, 40, open), ['A validated']);
  t.strictSame(reads, [11, 12]);
});

test('reads back for an older transaction noticed later', async (t) => {
  const { gateway } = scripted(new Map([[12, ['A']]]), new Set());
  const reader = new LedgerReader(gateway);
  await advance(reader, 14, new Map());
  const open = new Map([
    ['B', outstanding('B', 14)],
    ['A', outstanding('A', 10)],
  ]);
  t.strictSame(await advance(reader, 15, open), ['A validated']);
});

test('reports an outcome again if it could not be recorded', async (t) => {
  const { gateway } = scripted(new Map([[11, ['A']]]), new Set());
  const reader = new LedgerReader(gateway);
  const open = new Map([['A', outstanding('A', 10)]]);
  const failing = reader.advance({ index: 12, hash: hashOf(12), closeTime: 12 }, open, async () => {
    throw new Error('the store is away');
  });
  await t.rejects(failing, /away/);
  t.strictSame(await advance(reader, 12, open), ['A validated']);
});

test('records the fates of a full ledger some at a time, and knows all of them at once', async (t) => {
  const hashes = Array.from({ length: 250 }, (_, place) => `T${place}`);
  const { gateway } = scripted(new Map([[11, hashes]]), new Set());
  const reader = new LedgerReader(gateway);
  const open = new Map([...hashes, 'A'].map((hash) => [hash, outstanding(hash, 10)]));
  const sizes: number[] = [];
  await reader.advance({ index: 11, hash: hashOf(11), closeTime: 11 }, open, async (fates) => {
    sizes.push(fates.length);
    t.equal(reader.readTo, 11);
    t.ok(reader.isDecided('T249'), 'not recorded yet, but no open ledger needs a place for it');
    t.notOk(reader.isDecided('A'));
  });
  t.strictSame(sizes, [100, 100, 50]);
  t.notOk(reader.isDecided('T249'));
});

test('detects another chain', async (t) => {
  const { gateway } = scripted(new Map(), new Set());
  const reader = new LedgerReader({
    ...gateway,
    async ledger(index) {
      const ledger = await gateway.ledger(index);
      return ledger && index === 12 ? { ...ledger, parentHash: 'X' } : ledger;
    },
  });
  const open = new Map([['A', outstanding('A', 10)]]);
  await t.rejects(advance(reader, 13, open), { name: 'BrokenChain' });
});

test('with missing ledgers and restarts, every outcome is reported once and correctly', async (t) => {
  const scenario = fc.record({
    transactions: fc.array(
      fc.record({
        minLedger: fc.integer({ min: 10, max: 30 }),
        landsAfter: fc.option(fc.integer({ min: 1, max: 8 }), { nil: null }),
        noticedAfter: fc.integer({ min: 0, max: 20 }),
      }),
      { minLength: 1, maxLength: 8 },
    ),
    missing: fc.uniqueArray(fc.integer({ min: 10, max: 40 }), { maxLength: 12 }),
    steps: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 12 }),
    restarts: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ transactions, missing, steps, restarts }) => {
      const content = new Map<number, string[]>();
      transactions.forEach(({ minLedger, landsAfter }, n) => {
        if (landsAfter === null) return;
        const index = minLedger + landsAfter;
        content.set(index, [...(content.get(index) ?? []), `T${n}`]);
      });
      const lacking = new Set(missing);
      const { gateway } = scripted(content, lacking);
      const reader = new LedgerReader(gateway);
      const open = new Map<string, Outstanding>();
      const reported: string[] = [];
      let tip = 9;
      const play = async (next: number) => {
        tip = next;
        transactions.forEach(({ minLedger, noticedAfter }, n) => {
          const hash = `T${n}`;
          const due =
            minLedger + noticedAfter <= tip &&
            !reported.some((word) => word.startsWith(`${hash} `));
          if (due && !open.has(hash)) open.set(hash, outstanding(hash, minLedger));
        });
        reported.push(...(await advance(reader, tip, open)));
      };
      for (const [n, step] of steps.entries()) {
        if (restarts[n]) reader.restart();
        await play(tip + step);
      }
      // The server regains its history, so everything can be settled.
      lacking.clear();
      await play(Math.max(tip, 60));
      await play(tip + 1);
      await play(tip + 1);
      return transactions.every(({ landsAfter }, n) => {
        const words = reported.filter((word) => word.startsWith(`T${n} `));
        return words.length === 1 && words[0] === `T${n} ${landsAfter ? 'validated' : 'absent'}`;
      });
    }),
    { numRuns: 2_000 },
  );
  t.pass('2,000 scenarios');
});

/** B, signed after ledger 12, which has replaced A, signed after ledger 10. */
function replacement(): Map<string, Outstanding> {
  const { signed: first } = outstanding('A', 10);
  const { signed: own } = outstanding('B', 12);
  const signed = { ...own, lastLedgerSequence: first.lastLedgerSequence, replaces: 'A' };
  const gapFill = { ...signed, eventId: '', replaced: [first] };
  return new Map([['B', { kind: 'gapFill', gapFill, signed, replaced: [first] }]]);
}

for (const hash of ['A', 'B']) {
  test(`of two transactions with one Sequence, ${hash} is found in its ledger`, async (t) => {
    const { gateway, reads } = scripted(new Map([[14, [hash]]]), new Set());
    const reader = new LedgerReader(gateway);
    t.strictSame(await advance(reader, 12, new Map([['A', outstanding('A', 10)]])), []);
    t.strictSame(await advance(reader, 15, replacement()), ['B validated']);
    t.strictSame(reads, [11, 12, 13, 14], 'a replacement is no reason to read a ledger again');
  });

  test(`of two transactions with one Sequence, ${hash} is found by its hash`, async (t) => {
    const { gateway, lookUps } = scripted(new Map([[14, [hash]]]), new Set([12]));
    const reader = new LedgerReader(gateway);
    const other = scripted(new Map(), new Set([12, 14]));
    const blind = new LedgerReader({ ...gateway, ledger: other.gateway.ledger });
    t.strictSame(await advance(blind, 19, replacement()), [], 'its ledger cannot be read');
    t.ok(lookUps.includes(hash));
    t.strictSame(await advance(reader, 19, replacement()), ['B validated']);
  });
}

test('transactions with one Sequence are absent only if every ledger lacks each of them', async (t) => {
  const nothing = scripted(new Map(), new Set());
  const reader = new LedgerReader(nothing.gateway);
  const open = replacement();
  t.strictSame(await advance(reader, 17, open), []);
  t.strictSame(await advance(reader, 18, open), ['B absent']);
  // Ledger 12 can contain the first one only.
  const gap = scripted(new Map(), new Set([12]));
  t.strictSame(await advance(new LedgerReader(gap.gateway), 30, replacement()), []);
  t.strictSame(gap.lookUps, ['B', 'A']);
});

for (const hash of ['B', 'C']) {
  test(`ledgers read before ${hash}'s record are searched again for it`, async (t) => {
    // Another process signed B after ledger 12, and C after ledger 13, and submitted both.
    const { gateway, reads } = scripted(new Map([[14, [hash]]]), new Set());
    const reader = new LedgerReader(gateway);
    const first = new Map([['A', outstanding('A', 10)]]);
    t.strictSame(await advance(reader, 14, first), []);
    t.strictSame(await advance(reader, 15, replacedTwice()), ['C validated']);
    t.strictSame(reads, [11, 12, 13, 14]);
  });
}

/** C, signed after ledger 13, which has replaced B and A. */
function replacedTwice(): Map<string, Outstanding> {
  const [second] = replacement().values();
  if (second === undefined) throw new Error('unreachable');
  const replaced = [...second.replaced, second.signed];
  const signed = { ...second.signed, transactionHash: 'C', minLedger: 13, replaces: 'B' };
  const gapFill = { ...signed, eventId: '', replaced };
  return new Map([['C', { kind: 'gapFill', gapFill, signed, replaced }]]);
}
