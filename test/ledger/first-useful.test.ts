import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'tap';
import { firstUseful } from '../../src/ledger/first-useful.ts';

const never = () => new Promise<never>(() => {});

test('asks nobody else while the first one answers in time', async (t) => {
  let others = 0;
  const other = async () => {
    others += 1;
    return 'other';
  };
  t.strictSame(await firstUseful([async () => 'first', other], 20), { answer: 'first', index: 0 });
  await sleep(50);
  t.equal(others, 0);
});

test('asks the next one after a useless answer and a failure', async (t) => {
  const failing = async () => {
    throw new Error('not connected');
  };
  const found = await firstUseful([async () => null, failing, async () => 'third'], 60_000);
  t.strictSame(found, { answer: 'third', index: 2 });
});

test('does not wait for one that does not answer', async (t) => {
  t.strictSame(await firstUseful([never, async () => 7], 20), { answer: 7, index: 1 });
});

test('asks nobody else when a silent one fails after the useful answer', async (t) => {
  const asked: string[] = [];
  const question = (name: string, answer: () => Promise<string>) => () => {
    asked.push(name);
    return answer();
  };
  const silent = question('silent', async () => {
    await sleep(40);
    throw new Error('no answer in time');
  });
  const [good, third] = ['good', 'third'].map((name) => question(name, async () => name));
  const questions = [silent, good, third].flatMap((each) => each ?? []);
  t.strictSame(await firstUseful(questions, 10), { answer: 'good', index: 1 });
  await sleep(60);
  t.strictSame(asked, ['silent', 'good']);
});

test('takes the answer of a slow one if nobody else has one', async (t) => {
  const slow = () => sleep(60, 'slow');
  t.strictSame(await firstUseful([slow, async () => null], 10), { answer: 'slow', index: 0 });
});

test('has no answer if nobody has one', async (t) => {
  t.equal(await firstUseful([async () => null, () => sleep(30, null)], 10), null);
  t.equal(await firstUseful([], 10), null);
});
