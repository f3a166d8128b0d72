import { test } from 'tap';
import { parseClassification } from '../../../src/domain/document/classification.ts';
import { refusalOf } from '../../support/fold.ts';

const codeOf = (text: string) => refusalOf(() => parseClassification(text)).code;
const nested = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;

test('any JSON object is a classification, with or without a runId', async (t) => {
  for (const value of [
    {},
    { runId: 'r' },
    { runId: 'ü'.repeat(128), deep: { a: [1, null, ''] } },
  ]) {
    t.strictSame(parseClassification(JSON.stringify(value)), value);
  }
  t.strictSame(parseClassification('{"runId":null,"kind":null}'), { kind: null }, 'null is absent');
  const hostile = parseClassification('{"__proto__":{"runId":5},"constructor":1}');
  t.strictSame(Object.keys(hostile), ['__proto__', 'constructor']);
  t.equal(Object.getPrototypeOf(hostile), Object.prototype);
});

test('anything but an object is INVALID_CLASSIFICATION', async (t) => {
  const malformed = ['', 'x', '[]', 'null', '"a"', '1', '{"a":1', '{"runId":1}'];
  malformed.push('{"runId":""}', JSON.stringify({ runId: 'r'.repeat(129) }));
  for (const text of malformed) t.equal(codeOf(text), 'INVALID_CLASSIFICATION', text);
});

test('refuses strings that cannot be stored, at any depth', async (t) => {
  for (const bad of ['a\0b', '\ud800']) {
    for (const value of [{ runId: bad }, { a: [{ b: bad }] }, { [bad]: 1 }]) {
      t.equal(codeOf(JSON.stringify(value)), 'INVALID_CLASSIFICATION');
    }
  }
});

test('refuses numbers that JSON cannot hold, at any depth', async (t) => {
  for (const text of ['{"n":1e400}', '{"a":[{"b":-1e999}]}']) {
    t.equal(codeOf(text), 'INVALID_CLASSIFICATION', text);
  }
  t.equal(codeOf('{"n":1e300}'), 'none');
});

test('refuses values that would not come back as sent, at any depth', async (t) => {
  const lost = ['12345678901234567890', '9007199254740993', '0.1234567890123456789', '1e-400'];
  lost.push('-12345678901234567890.5', '1.0000000000000000000001');
  for (const number of lost) {
    for (const text of [`{"n":${number}}`, `{"a":[{"b":[1,${number}]}]}`]) {
      const refusal = refusalOf(() => parseClassification(text));
      t.match(refusal, { code: 'INVALID_CLASSIFICATION', message: /number/ }, text);
    }
  }
  for (const text of [
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":1}',
    '{"b":[{"":1,"":1}]}',
    '{"__proto__":1,"__proto__":1}',
    '{"runId":"a","x":{},"runId":"a"}',
  ]) {
    const refusal = refusalOf(() => parseClassification(text));
    t.match(refusal, { code: 'INVALID_CLASSIFICATION', message: /twice/ }, text);
  }
});

test('accepts values that are merely written differently', async (t) => {
  const numbers = ['0', '0.0', '0e9', '1.0', '1e2', '1E+2', '-1.50', '100', '9007199254740992'];
  numbers.push('9007199254740994', '1e23', '123456789012345680000', '5e-324', '1e300', '0.1');
  numbers.push('1.7976931348623157e308', '0.00001', '1e-7', '-123.456');
  for (const number of numbers) {
    t.strictSame(parseClassification(`{"n":[${number}]}`), { n: [Number(number)] }, number);
  }
  const text = ' { "a:b" : "c:\\"d:", "\\\\" : { ":" : [ ":", "\\"" ] } , "c" : {} } ';
  t.strictSame(parseClassification(text), JSON.parse(text));
});

test('limits size in bytes and depth', async (t) => {
  const ofBytes = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;
  t.equal(codeOf(ofBytes(16_384)), 'none');
  t.equal(codeOf(ofBytes(16_385)), 'INVALID_CLASSIFICATION');
  t.equal(codeOf(`{"a":"${'ü'.repeat(8_192)}"}`), 'INVALID_CLASSIFICATION');
  t.equal(codeOf(nested(60)), 'none');
  t.equal(codeOf(nested(8_000)), 'INVALID_CLASSIFICATION');
});
