import { test } from 'tap';
import { comparisonsNotMade } from '../../../../ops/audit/report/comparisons-not-made.ts';

test('an audit lists the comparisons that were not possible', async (t) => {
  const all = {
    source: 'database',
    ...{ events: 100, published: 100, keptCheckpoints: 0, hasKeys: true, hasOwnKeys: true },
    ...{ hasLedger: true, hasFiles: true, restores: 0, hiddenMemos: 0 },
    ...{ timestamps: 0, hasAuthorities: false },
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
  const kept = { ...all, published: 'unasked', keptCheckpoints: 1 } as const;
  t.match(comparisonsNotMade({ ...kept, hasKeys: false }), [
    /\(no --log\)/,
    /^known keys \(no --key\)/,
  ]);
  t.match(comparisonsNotMade({ ...kept, hasOwnKeys: false }), [
    /\(no --log\)/,
    /^keys of the auditor/,
  ]);
  t.equal(comparisonsNotMade(kept).length, 1);
  t.match(comparisonsNotMade({ ...all, published: null }), [/no matching one was found/]);
  t.match(comparisonsNotMade({ ...all, hasKeys: false }), [/no --key.*not verified/]);
  t.match(comparisonsNotMade({ ...all, hasOwnKeys: false }), [/keys of the configuration/]);
  t.match(comparisonsNotMade({ ...all, hasFiles: false }), [/no --files/]);
  t.match(comparisonsNotMade({ ...all, restores: 1 }), [/tiles of ended epochs/]);
  t.match(comparisonsNotMade({ ...all, hiddenMemos: 2 }), [/transactions of 2 proofs/]);
  t.match(comparisonsNotMade({ ...all, timestamps: 2 }), [/signatures of 2 tokens/]);
  t.strictSame(comparisonsNotMade({ ...all, timestamps: 2, hasAuthorities: true }), []);
  t.match(comparisonsNotMade({ ...all, source: 'export' }), [/hashes and nonces/, /read models/]);
});
