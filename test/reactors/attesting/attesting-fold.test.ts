import { test } from 'tap';
import type { StoredEvent } from '../../../src/event-store/stored-event.ts';
import { AttestingFold } from '../../../src/reactors/attesting/attesting-fold.ts';

const hashOf = (index: number) => index.toString(16).toUpperCase().padStart(64, '0');

/** A record about a ledger of a chain. */
const event = (type: string, ledgerIndex: number, ledgerId = '1-A') =>
  ({
    ...{ type, recordedAt: '2026-01-01T00:00:00.000Z' },
    data: { ledgerId, ledgerIndex, ledgerHash: hashOf(ledgerIndex) },
  }) as unknown as StoredEvent;

const emptyFold = () => new AttestingFold(0, { pending: [], attested: [] });

/** Observes one event after the other, each in a page of its own. */
function observe(fold: AttestingFold, events: readonly StoredEvent[]) {
  for (const each of events) fold.observe([each], fold.position + 1);
}

const indexes = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, nth) => from + nth);

test('keeps the nearest attested ledger of each pending one of its own chain', (t) => {
  const fold = emptyFold();
  observe(fold, [event('Anchored', 1_000), event('Anchored', 50_000)]);
  observe(fold, [event('Anchored', 900, '1-B'), event('LedgerAttested', 1_000_000, '1-B')]);
  observe(
    fold,
    indexes(50_001, 69_999).map((index) => event('LedgerAttested', index)),
  );
  t.match(fold.nextAttested('1-A', 50_000), { ledgerIndex: 50_001 });
  t.match(fold.nextAttested('1-A', 1_000), { ledgerIndex: 50_001 });
  t.match(fold.nextAttested('1-B', 900), { ledgerIndex: 1_000_000 });
  t.ok(fold.state.attested.length < 200, 'and forgets the others');
  t.end();
});

test('a ledger is out of reach once no attested ledger can be near enough', (t) => {
  const fold = emptyFold();
  const outOfReach = () => fold.outOfReach().map(({ ledgerIndex }) => ledgerIndex);
  observe(
    fold,
    [1, 2, 3, 8_000].map((index) => event('Anchored', index)),
  );
  observe(fold, [event('Anchored', 50, '1-B'), event('LedgerLinked', 100_000, '1-B')]);
  observe(fold, [event('LedgerAttested', 8_706)]);
  t.strictSame(outOfReach(), [1, 50]);
  observe(fold, [event('LedgerAttested', 8_194)]);
  t.strictSame(outOfReach(), [1, 50], 'ledgers 2 and 3 can be linked now');
  observe(fold, [event('LedgerAttested', 9_000)]);
  t.strictSame(outOfReach(), [1, 50]);
  t.end();
});

test('a forged ledger with a high index puts no other out of reach', (t) => {
  const fold = emptyFold();
  observe(fold, [event('Anchored', 1), event('Anchored', 4_000_000_000)]);
  t.strictSame(fold.outOfReach(), []);
  observe(
    fold,
    indexes(9_001, 9_008).map((index) => event('Anchored', index)),
  );
  t.match(fold.outOfReach(), [{ ledgerIndex: 1 }]);
  t.end();
});

test('its state changes only with its revision', (t) => {
  const fold = emptyFold();
  const observed = (type: string) => {
    const { revision } = fold;
    observe(fold, [event(type, 7)]);
    return fold.revision !== revision;
  };
  t.ok(observed('Anchored'));
  t.notOk(observed('Anchored'), 'another transaction in the same ledger');
  t.ok(observed('LedgerAttested'));
  t.notOk(observed('Anchored'));
  t.ok(observed('LedgerGone'));
  t.notOk(observed('LedgerJoined'));
  t.strictSame(fold.state, { pending: [], attested: [] });
  t.end();
});

test('ledgers of one index are pending apart, and are found by their hash', (t) => {
  const fold = emptyFold();
  const forged = event('Anchored', 7);
  Object.assign(forged.data, { ledgerHash: hashOf(99) });
  observe(fold, [event('Anchored', 7), forged, event('Anchored', 7, '1-B')]);
  t.equal(fold.size, 3);
  t.strictSame(
    fold.withHash(hashOf(7)).map(({ ledgerId }) => ledgerId),
    ['1-A', '1-B'],
  );
  observe(fold, [event('LedgerAttested', 7)]);
  t.match(fold.pending, [{ ledgerHash: hashOf(99) }, { ledgerId: '1-B' }]);
  t.strictSame(
    fold.withHash(hashOf(7)).map(({ ledgerId }) => ledgerId),
    ['1-B'],
  );
  observe(fold, [event('LedgerGone', 0, '1-A')]);
  t.match(fold.pending, [{ ledgerId: '1-B' }]);
  t.strictSame(fold.withHash(hashOf(99)), []);
  t.end();
});
