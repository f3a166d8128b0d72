import { test } from 'tap';
import { comparisonsNotMade } from '../../../../ops/audit/report/comparisons-not-made.ts';

test('an audit lists the comparisons that were not possible', async (t) => {
  const all = {
    source: 'database',
    ...{ events: 100, published: 100, hasKeys: true, hasOwnKeys: true },
    ...{ hasLedger: true, hasFiles: true, restores: 0, hiddenMemos: 0 },
  } as const;
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
  t.match(comparisonsNotMade({ ...all, hasKeys: false }), [/no --key.*not verified/]);
  t.match(comparisonsNotMade({ ...all, hasOwnKeys: false }), [/keys of the configuration/]);
  t.match(comparisonsNotMade({ ...all, hasFiles: false }), [/no --files/]);
  t.match(comparisonsNotMade({ ...all, restores: 1 }), [/tiles of ended epochs/]);
  t.match(comparisonsNotMade({ ...all, hiddenMemos: 2 }), [/transactions of 2 proofs/]);
  t.match(comparisonsNotMade({ ...all, source: 'export' }), [/hashes and nonces/, /read models/]);
});
