import { test } from 'tap';
import { OpenGapFills } from '../../src/anchoring-state/open-gap-fills.ts';
import type { GapFillPrepared } from '../../src/domain/account/events.ts';
import type { SignedTransaction } from '../../src/domain/ledger/transaction.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';

const stream = 'account-1-r';

function gapFill(transactionHash: string, replaces: string | null): SignedTransaction {
  const signed = { ledgerId: '1', transactionHash, blob: '', account: 'r', sequence: 5 };
  return { ...signed, feeDrops: 10, minLedger: 1, lastLedgerSequence: 9, replaces };
}

/** Gap fills of which B replaced A, and C replaced B. */
function replacedTwice() {
  const applied: number[] = [];
  const open = new OpenGapFills(({ sequence }) => applied.push(sequence));
  for (const [index, [hash, replaces]] of [
    ['A', null] as const,
    ['B', 'A'] as const,
    ['C', 'B'] as const,
  ].entries()) {
    open.prepared(stream, index + 1, [{ ...gapFill(hash, replaces), eventId: hash }]);
  }
  return { open, applied };
}

test('a gap fill and its replacements are one, known by the newest', async (t) => {
  const { open } = replacedTwice();
  const [newest, ...others] = open.values();
  t.strictSame(others, []);
  t.match(newest, {
    transactionHash: 'C',
    replaced: [{ transactionHash: 'A' }, { transactionHash: 'B' }],
  });
  t.strictSame([open.has('A'), open.has('C')], [false, true]);
});

for (const hash of ['A', 'B', 'C']) {
  test(`when ${hash} of three gap fills with one Sequence is validated, all are settled`, async (t) => {
    const { open, applied } = replacedTwice();
    open.settled(stream, 4, { transactionHash: hash, sequence: 5, outcome: 'validated' });
    t.strictSame([...open.values()], []);
    t.strictSame(applied, [5]);
  });
}

test('open gap fills of a state that an earlier release saved replace none', async (t) => {
  const { replaces: _, ...saved } = gapFill('A', null);
  const open = new OpenGapFills(() => {});
  open.adopt([{ ...saved, eventId: 'A' }]);
  t.strictSame([...open.values()], [{ ...gapFill('A', null), eventId: 'A', replaced: [] }]);
  const again = new OpenGapFills(() => {});
  const { open: whole } = replacedTwice();
  again.adopt([...whole.values()]);
  t.strictSame([...again.values()], [...whole.values()], 'a saved state keeps the replaced ones');
});

test('replaced gap fills of a saved state stay known when their events are read again', async (t) => {
  const { open: before } = replacedTwice();
  const open = new OpenGapFills(() => {});
  open.adopt([...before.values()]);
  const events = [gapFill('A', null), gapFill('B', 'A'), gapFill('C', 'B')].entries();
  for (const [index, data] of events) {
    const stored = { type: 'GapFillPrepared', stream, version: index + 1, data } as const;
    // Folding uses only these fields of a stored event.
    open.fold({ ...stored, eventId: data.transactionHash } as StoredEvent<GapFillPrepared>);
    t.strictSame([...open.values()], [...before.values()]);
  }
});
