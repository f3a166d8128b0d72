import { test } from 'tap';
import { formatPath } from '../../../src/domain/json-value.ts';
import { findDecisionsFault } from '../../../src/domain/run/decision.ts';
import { isRunId } from '../../../src/domain/run/run-id.ts';

const good = { subject: '', action: 'skip' };
const optional = ['reason', 'fileHash', 'proofId', 'documentId', 'confidence', 'at'];
const ulid = '01M7XT7V10RJ1CFD26ZBSKQXP6';

test('a decision is an object of any members', async (t) => {
  const full = {
    ...{ subject: 's', action: 'a', reason: '', fileHash: 'a'.repeat(64), proofId: ulid },
    ...{ documentId: ulid, confidence: 1, at: '2026-01-01T00:00:00.123456+01:00' },
    ...{ free: { x: [null, -1.5] }, '': 0, constructor: 1, toString: 2 },
  };
  const proto = JSON.parse('{"subject":"s","action":"a","__proto__":{"subject":1}}');
  const unsaid = { ...good, ...Object.fromEntries(optional.map((name) => [name, null])) };
  t.equal(findDecisionsFault([unsaid]), null);
  t.equal(findDecisionsFault([]), null);
  const loose = { subject: 1, action: null, fileHash: 'A', proofId: {}, confidence: '1', at: 7 };
  t.equal(findDecisionsFault([{}, { action: 'a' }, loose]), null);
  t.equal(findDecisionsFault([good, full, { ...good, confidence: 0 }, proto]), null);
});

test('a fault in a decision is reported with its path', async (t) => {
  const rows: [unknown, string][] = [
    [{}, ''],
    ['x', ''],
    [[null], '0'],
    [[[]], '0'],
    [['x'], '0'],
    [[{ ...good, free: { a: '\0' } }], '0.free.a'],
    [[{ ...good, reason: 'x'.repeat(65_536) }], '0'],
    [[...Array(5_000).fill(good), 's'], '5000'],
  ];
  for (const [value, name] of rows) {
    const fault = findDecisionsFault(value);
    t.equal(fault && formatPath(fault), name, JSON.stringify(value).slice(0, 80));
  }
});

test('a run id has 1 to 128 characters of any kind', async (t) => {
  for (const id of ['r', ' ', '/', '..', '🎉'.repeat(128)]) t.ok(isRunId(id), id);
  for (const id of ['', 'x'.repeat(129), '🎉'.repeat(129), 1, null, undefined, ['r']]) {
    t.notOk(isRunId(id), String(id));
  }
});
