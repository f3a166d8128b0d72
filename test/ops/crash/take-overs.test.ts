import { test } from 'tap';
import { takeOverTimes } from '../../../ops/crash/take-overs.ts';

const use = (account: string, at: number) => ({ account, sequence: 1, proofId: 'P', at });
const taken = [use('a', 10), use('b', 20), use('a', 130), use('a', 140), use('b', 170)];

test('a take-over lasts until every account is anchored from again', async (t) => {
  t.strictSame(takeOverTimes([{ at: 100, until: Infinity }], taken), [70]);
  t.strictSame(takeOverTimes([{ at: 15, until: 1_000 }], taken), [115]);
});

test('one that the next kill came in between tells nothing', async (t) => {
  t.strictSame(takeOverTimes([{ at: 100, until: 160 }], taken), []);
});
