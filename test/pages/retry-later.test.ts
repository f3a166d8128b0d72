import { test } from 'tap';
import { RetryLater } from '../../src/pages/retry-later.js';

test('pauses grow within one outage, and begin again with the next one', async (t) => {
  const timers: { run: () => void; seconds: number }[] = [];
  t.intercept(globalThis, 'setTimeout', {
    value: (run: () => void, ms: number) => timers.push({ run, seconds: ms / 1_000 }),
  });
  const later = new RetryLater(() => later.plan({ isNeeded: false, isSettled: false, seconds: 0 }));
  const outage = (seconds = 0) => {
    later.plan({ isNeeded: true, isSettled: true, seconds });
    const timer = timers.at(-1);
    timer?.run();
    return timer?.seconds;
  };
  t.strictSame([outage(), outage(), outage()], [3, 6, 12]);
  t.equal(outage(45), 45, 'a longer pause that the service asks for');
  later.plan({ isNeeded: false, isSettled: true, seconds: 0 });
  t.strictSame([outage(), outage()], [3, 6], 'the outage was over');
});
