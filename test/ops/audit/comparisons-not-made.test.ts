import { test } from 'tap';
import { comparisonsNotMade } from '../../../ops/audit/comparisons-not-made.ts';

test('an audit lists the comparisons that were not possible', async (t) => {
  const all = { events: 100, published: 100, hasKeys: true, hasLedger: true };
  t.strictSame(comparisonsNotMade(all), []);
  t.strictSame(
    comparisonsNotMade({ ...all, events: 90 }),
    [],
    'missing events are a fault instead',
  );
  t.match(comparisonsNotMade({ ...all, events: 103 }), [
    /^a published checkpoint: events 101 to 103, /,
  ]);
  const alone = comparisonsNotMade({
    ...all,
    published: 'unasked',
    hasKeys: false,
    hasLedger: false,
  });
  t.match(alone, [/^a published checkpoint \(no --log\): events may be missing/, /^a ledger /]);
  t.match(comparisonsNotMade({ ...all, published: null }), [/no matching one was found/]);
  t.match(comparisonsNotMade({ ...all, hasKeys: false }), [/no --key/]);
});
