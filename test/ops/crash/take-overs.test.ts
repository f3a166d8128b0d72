import { test } from 'tap';
import { takeOverTimes } from '../../../ops/crash/take-overs.ts';

const use = (account: string, at: number) => ({ account, sequence: 1, proofId: 'P', at });
const taken = [use('a', 10), use('b', 20), use('a', 130), use('a', 140), use('b', 170)];

test('a takeover lasts until every account is in use again', async (t) => {
  t.strictSame(takeOverTimes([{ at: 100, until: Infinity }], taken), [70]);
  t.strictSame(takeOverTimes([{ at: 15, until: 1_000 }], taken), [115]);
});

test('ignores a takeover interrupted by the next kill', async (t) => {
  t.strictSame(takeOverTimes([{ at: 100, until: 160 }], taken), []);
});
