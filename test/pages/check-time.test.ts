import { test } from 'tap';
import { CheckTime } from '../../src/pages/check-time.js';
import type { Findings } from '../../src/pages/findings.ts';
import { judgeItems } from '../../src/pages/judge-items.js';
import { findings, heldAs, readCertificate, readItem } from '../support/page-findings.ts';
import { sampleFileHash, sampleText } from '../support/sample-bundle.ts';

test('the time of the check is that of the last verdict that changed', async (t) => {
  let seconds = 0;
  const time = new CheckTime(() => new Date(seconds * 1_000));
  const given = [readItem('contract.txt', sampleFileHash), readCertificate('c.json', sampleText())];
  const noteAt = (at: number, found: Findings, chain: ReturnType<Findings['chainOf']> = null) => {
    seconds = at;
    time.note(judgeItems(found).cards, () => chain && { first: '', ...chain });
    return time.iso;
  };
  t.equal(time.iso, null);
  const asked = findings(given, []);
  const answered = findings(given, [heldAs(sampleText())]);
  t.equal(noteAt(1, asked), '1970-01-01T00:00:01.000Z');
  t.equal(noteAt(2, answered), '1970-01-01T00:00:02.000Z');
  t.equal(noteAt(3, answered), '1970-01-01T00:00:02.000Z', 'nothing changed');
  const links = [{ transactionHash: 'A'.repeat(64), answer: { found: 'no' as const } }];
  t.equal(noteAt(4, answered, { links, isFollowing: false }), '1970-01-01T00:00:04.000Z');
  t.equal(noteAt(5, findings([], [])), null, 'no verdict is left');
});
