import { test } from 'tap';
import { currentKey, issuerDecider } from '../../src/domain/issuer/decider.ts';
import type { IssuerEvent } from '../../src/domain/issuer/events.ts';

const at = (n: number) => `2026-11-23T00:00:0${n}.000Z`;
const given = (...events: readonly IssuerEvent[]) =>
  events
    .map((event, n) => ({ ...event, recordedAt: at(n) }))
    .reduce(issuerDecider.evolve, issuerDecider.initial);
const published = (key: string): IssuerEvent => ({ type: 'IssuerKeyPublished', data: { key } });
const retired = (key: string): IssuerEvent => ({ type: 'IssuerKeyRetired', data: { key } });
const compromised = (key: string, since: string): IssuerEvent => ({
  type: 'IssuerKeyCompromised',
  data: { key, since },
});

test('the first key is published once', async (t) => {
  t.strictSame(issuerDecider.publishFirst(given(), 'a'), [published('a')]);
  t.strictSame(issuerDecider.publishFirst(given(published('a')), 'b'), []);
  t.equal(currentKey(given()), null);
});

test('a rotation retires the key that signs, and publishes the next one', async (t) => {
  const first = given(published('a'));
  const order = { retire: 'a', next: 'b' };
  t.strictSame(issuerDecider.rotate(first, order, null), [retired('a'), published('b')]);
  const second = given(published('a'), retired('a'), published('b'));
  t.strictSame(second, [
    { key: 'a', publishedAt: at(0), retiredAt: at(1), compromisedSince: null },
    { key: 'b', publishedAt: at(2), retiredAt: null, compromisedSince: null },
  ]);
  t.throws(() => issuerDecider.rotate(second, { retire: 'a', next: 'c' }, null), {
    code: 'INVALID_REQUEST',
  });
  t.throws(() => issuerDecider.rotate(given(), order, null), { code: 'INVALID_REQUEST' });
});

test('a compromised key is recorded with the moment', async (t) => {
  const order = { retire: 'a', next: 'b' };
  const events = issuerDecider.rotate(given(published('a')), order, at(0));
  t.strictSame(events, [compromised('a', at(0)), retired('a'), published('b')]);
  const after = given(published('a'), ...events);
  t.match(after, [{ key: 'a', compromisedSince: at(0) }, { compromisedSince: null }]);
  t.equal(currentKey(after)?.key, 'b');
});

test('a key that was replaced may turn out to be compromised, also since an earlier time', async (t) => {
  const state = given(published('a'), retired('a'), published('b'));
  t.strictSame(issuerDecider.recordCompromise(state, 'a', at(5)), [compromised('a', at(5))]);
  const known = given(published('a'), retired('a'), published('b'), compromised('a', at(5)));
  t.strictSame(issuerDecider.recordCompromise(known, 'a', at(6)), [], 'already on record');
  t.strictSame(issuerDecider.recordCompromise(known, 'a', at(4)), [compromised('a', at(4))]);
  for (const key of ['b', 'c']) {
    t.throws(() => issuerDecider.recordCompromise(state, key, at(1)), { code: 'INVALID_REQUEST' });
  }
});

test('events that cannot follow are a defect', async (t) => {
  const [a, b] = [published('a'), published('b')];
  for (const events of [
    [a, a],
    [a, b],
    [retired('a')],
    [a, retired('b')],
    [compromised('a', at(1))],
  ]) {
    t.throws(() => given(...events), /cannot follow/);
  }
  t.throws(() => given(a, retired('a'), a), /cannot follow/);
});
