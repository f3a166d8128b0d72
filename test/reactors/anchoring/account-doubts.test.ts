import { test } from 'tap';
import { AccountDoubts } from '../../../src/reactors/anchoring/account-doubts.ts';

test('a Sequence is doubted once, when nothing signed with it was applied in time', async (t) => {
  const doubts = new AccountDoubts();
  doubts.stated(50);
  doubts.judge({ tipIndex: 130, applied: 0 });
  t.equal(doubts.count, 0, 'nothing was signed');
  doubts.used(100);
  doubts.used(105);
  doubts.judge({ tipIndex: 107, applied: 49 });
  t.equal(doubts.count, 0, 'it may still be applied');
  // The state was forgotten meanwhile, and the same server was asked again.
  doubts.stated(60);
  doubts.used(107);
  doubts.judge({ tipIndex: 108, applied: 49 });
  t.equal(doubts.count, 1);
  doubts.judge({ tipIndex: 120, applied: 49 });
  t.equal(doubts.count, 1);
});

test('a Sequence that was applied is not doubted, however many expire after it', async (t) => {
  const doubts = new AccountDoubts();
  for (let tipIndex = 100; tipIndex < 200; tipIndex += 10) {
    doubts.stated(tipIndex);
    doubts.used(tipIndex);
    doubts.judge({ tipIndex: tipIndex + 9, applied: tipIndex });
  }
  t.equal(doubts.count, 0);
});

test('a true Sequence is not doubted for outstanding ones of a server that was doubted', async (t) => {
  const doubts = new AccountDoubts();
  doubts.stated(1_000_050);
  doubts.used(100);
  doubts.judge({ tipIndex: 108, applied: 49 });
  doubts.stated(50);
  for (let count = 0; count < 8; count += 1) doubts.contradicted(1_000_060);
  t.equal(doubts.count, 1);
  doubts.used(117);
  doubts.judge({ tipIndex: 119, applied: 50 });
  doubts.stated(10);
  doubts.contradicted(10_000);
  t.equal(doubts.count, 2, 'once another one was proven, a contradiction is a doubt again');
});

test('a lack is doubted until each server has stated it, and again after some ledgers', async (t) => {
  const doubts = new AccountDoubts();
  const counts: number[] = [];
  for (let count = 0; count < 36; count += 1) {
    doubts.lacked(3);
    counts.push(doubts.count);
  }
  t.same(counts.slice(0, 5), [1, 2, 3, 3, 3]);
  t.same(counts.slice(31), [3, 4, 5, 6, 6]);
  doubts.stated(50);
  doubts.used(140);
  doubts.judge({ tipIndex: 142, applied: 50 });
  doubts.lacked(3);
  t.equal(doubts.count, 7, 'a proven Sequence ends the belief');
});
