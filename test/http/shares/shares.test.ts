import { type Test, test } from 'tap';
import { type ShareLimits, Shares, type Yielding } from '../../../src/http/shares/shares.ts';
import { newOrganisationId } from '../../support/blobs.ts';

const [one, other, third] = [newOrganisationId(), newOrganisationId(), newOrganisationId()];
const never = 600_000;

/** Shares whose claims are all returned when the test ends, so that no timer is left. */
function openShares(t: Pick<Test, 'teardown'>, limits: Partial<ShareLimits> = {}) {
  const patient = { waitMs: never, patienceMs: never, slowBytesPerSecond: 1, graceMs: 0 };
  const own = { name: 'uploads', total: 10, perOrganisation: 6, ...patient, ...limits };
  const shares = new Shares(own);
  const taken: Promise<unknown>[] = [];
  t.teardown(() => {
    for (const one of taken) one.then((giveBack) => (giveBack as () => void)());
  });
  const take: Shares['take'] = (...claim) => {
    const granted = shares.take(...claim);
    taken.push(granted.catch(() => () => {}));
    return granted;
  };
  return { take, during: shares.during.bind(shares) };
}

/** True if the promise is settled now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const later = new Promise((resolve) => setImmediate(() => resolve('later')));
  return (await Promise.race([promise.catch(() => {}), later])) !== 'later';
}

test("claims above an organisation's maximum wait, claims of others do not", async (t) => {
  const all = openShares(t);
  const giveBack = await all.take(one, 4);
  await all.take(one, 2);
  const more = all.take(one, 1);
  t.notOk(await isSettled(more));
  await all.take(other, 4);
  giveBack();
  giveBack();
  (await more)();
  await all.take(one, 4);
  t.notOk(await isSettled(all.take(one, 1)), 'a share is returned only once');
});

test('claims above the total wait in turn, and smaller ones do not overtake', async (t) => {
  const all = openShares(t);
  const [first] = [await all.take(one, 6), await all.take(other, 4)];
  const got: string[] = [];
  const want = (name: string, who: typeof one, amount: number) =>
    all.take(who, amount).then((giveBack) => {
      got.push(name);
      return giveBack;
    });
  const large = want('large', third, 6);
  const small = want('small', other, 1);
  t.notOk(await isSettled(small), 'the total is used up');
  first();
  await Promise.all([large]);
  t.strictSame(got, ['large']);
  (await large)();
  await small;
  t.strictSame(got, ['large', 'small']);
});

test('a claim above the maximum of an organisation is reduced to it', async (t) => {
  const all = openShares(t);
  const giveBack = await all.take(one, 1_000);
  await all.take(other, 4);
  t.notOk(await isSettled(all.take(one, 1)));
  giveBack();
});

test('a claim that waits too long is refused with the reason', async (t) => {
  const own = openShares(t, { waitMs: 20 });
  const giveBack = await own.take(one, 6);
  await t.rejects(own.take(one, 1), {
    name: 'TooMuchAtOnce',
    code: 'RATE_LIMIT_EXCEEDED',
    retryAfterSeconds: 5,
    message: /^too many uploads of this organisation at once/,
  });
  giveBack();
  const again = await own.take(one, 6);
  again();

  const full = openShares(t, { waitMs: 20 });
  await full.take(one, 6);
  await full.take(other, 4);
  await t.rejects(full.take(third, 1), {
    code: 'SERVICE_UNAVAILABLE',
    callerMessage: /^too many uploads at once/,
  });
  const [first, second] = [full.take(third, 1), full.take(third, 1)];
  await t.rejects(first, { code: 'SERVICE_UNAVAILABLE' }, 'despite its other waiting claims');
  await t.rejects(second, { code: 'SERVICE_UNAVAILABLE' });
});

test('the number of waiting claims of an organisation is limited', async (t) => {
  const all = openShares(t);
  await all.take(one, 6);
  const waiting = Array.from({ length: 200 }, () => all.take(one, 1));
  await t.rejects(all.take(one, 1), { name: 'TooMuchAtOnce' });
  t.notOk(await isSettled(Promise.race(waiting)));
  await t.resolves(all.take(other, 1), 'others have a queue of their own');
});

test('while a claim waits, the slowest transfer of its organisation is ended', async (t) => {
  const gaveUp: string[] = [];
  const all = openShares(t, {
    patienceMs: 20,
    graceMs: 10,
    slowBytesPerSecond: 1_000,
    perOrganisation: 4,
  });
  const claim = async (name: string, who: typeof one, progress: Yielding['progress']) => {
    const { promise, resolve } = Promise.withResolvers<() => void>();
    const giveUp = () => {
      gaveUp.push(name);
      promise.then((giveBack) => giveBack());
    };
    resolve(await all.take(who, 1, { progress, giveUp }));
  };
  await claim('fast', one, () => 1_000_000);
  await claim('slow', one, () => 2);
  await claim('slower', one, () => 1);
  await claim('waits for us', one, () => null);
  await claim('slowest, of another', other, () => 0);
  await all.take(one, 1);
  t.strictSame(gaveUp, ['slower']);
});

test('a slow claim that does not end at once does not protect the next one', async (t) => {
  const limits = { patienceMs: 1, graceMs: 0, slowBytesPerSecond: 1_000, perOrganisation: 2 };
  const all = openShares(t, limits);
  await all.take(one, 1, { progress: () => 0, giveUp: () => {} });
  const { promise, resolve } = Promise.withResolvers<() => void>();
  const giveUp = () => promise.then((giveBack) => giveBack());
  resolve(await all.take(one, 1, { progress: () => 0.001, giveUp }));
  await t.resolves(all.take(one, 1));
});

test('work returns its share when it ends, even with an error', async (t) => {
  const all = openShares(t);
  await t.rejects(
    all.during(one, 6, async () => {
      throw new Error('it failed');
    }),
    { message: 'it failed' },
  );
  t.equal(await all.during(one, 6, async () => 'done'), 'done');
});
