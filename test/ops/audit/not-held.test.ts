import { test } from 'tap';
import { notHeld } from '../../../ops/audit/not-held.ts';

test('an audit lists the comparisons that it did not make', async (t) => {
  const all = { events: 100, published: 100, hasKeys: true, hasLedger: true };
  t.strictSame(notHeld(all), []);
  t.strictSame(notHeld({ ...all, events: 90 }), [], 'that events are missing is a fault');
  t.match(notHeld({ ...all, events: 103 }), [/^a published checkpoint: events 101 to 103, /]);
  const alone = notHeld({ ...all, published: 'unasked', hasKeys: false, hasLedger: false });
  t.match(alone, [/^a published checkpoint \(no --log\): events may be missing/, /^a ledger /]);
  t.match(notHeld({ ...all, published: null }), [/none that fits was found/]);
  t.match(notHeld({ ...all, hasKeys: false }), [/no --key/]);
});
