import { test } from 'tap';
import { createPublicFacts, type PublicFacts } from '../../../src/http/pages/public-facts.ts';

const facts = (key: string): PublicFacts => ({ issuerKeys: [], accounts: [], logKeys: [key] });

test('facts are read twice a minute at most, and stay after a failed read', async (t) => {
  let [reads, now] = [0, 0];
  const read = async () => {
    reads += 1;
    if (reads === 2) throw new Error('the database is away');
    return facts(String(reads));
  };
  const publicFacts = createPublicFacts(read, () => now);
  t.strictSame(await Promise.all([publicFacts(), publicFacts()]), [facts('1'), facts('1')]);
  now = 29_999;
  t.strictSame(await publicFacts(), facts('1'));
  now = 30_000;
  t.strictSame(await publicFacts(), facts('1'), 'the failed read');
  now = 60_000;
  t.strictSame(await publicFacts(), facts('3'));
  t.equal(reads, 3);
});

test('a read without an end delays no page for ever, and no other one begins', async (t) => {
  let [reads, now] = [0, 0];
  const silent = Promise.withResolvers<PublicFacts>();
  const read = () => {
    reads += 1;
    return silent.promise;
  };
  const publicFacts = createPublicFacts(read, () => now, 1);
  t.equal(await publicFacts(), null);
  now = 40_000;
  t.equal(await publicFacts(), null);
  t.equal(reads, 1);
  silent.resolve(facts('1'));
  t.strictSame(await publicFacts(), facts('1'));
  t.equal(reads, 1);
});
