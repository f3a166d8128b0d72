/**
 * A process that asks for one lock again and again. Prints the answer whenever it changes, and `awake`
 * after a freeze.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openWorkLocks } from '../../src/subscriptions/work-locks.ts';

const [url = '', name = '', silenceMs = ''] = process.argv.slice(2);
const locks = openWorkLocks(url, { silenceMs: Number(silenceMs) });

async function ask(): Promise<string> {
  try {
    const since = await locks.hold(name);
    return since === null ? 'held by another' : `held since ${since}`;
  } catch {
    return 'no answer';
  }
}

let lastAnswer = '';
let askedAt = performance.now();
for (;;) {
  if (performance.now() - askedAt > Number(silenceMs) / 2) {
    console.log('awake');
    lastAnswer = '';
  }
  askedAt = performance.now();
  const answer = await ask();
  if (answer !== lastAnswer) console.log(answer);
  lastAnswer = answer;
  await sleep(20);
}
