import { test } from 'tap';
import { parseClassification } from '../../../src/domain/document/classification.ts';
import { refusalOf } from '../../support/fold.ts';

const codeOf = (text: string) => refusalOf(() => parseClassification(text)).code;
const nested = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;

test('a classification is any JSON object, with a runId or without', async (t) => {
  for (const value of [
    {},
    { runId: 'r' },
    { runId: 'ü'.repeat(128), deep: { a: [1, null, ''] } },
  ]) {
    t.strictSame(parseClassification(JSON.stringify(value)), value);
  }
  const hostile = parseClassification('{"__proto__":{"runId":5},"constructor":1}');
  t.strictSame(Object.keys(hostile), ['__proto__', 'constructor']);
  t.equal(Object.getPrototypeOf(hostile), Object.prototype);
});

test('anything else is INVALID_CLASSIFICATION', async (t) => {
  const malformed = ['', 'x', '[]', 'null', '"a"', '1', '{"a":1', '{"runId":1}', '{"runId":null}'];
  malformed.push('{"runId":""}', JSON.stringify({ runId: 'r'.repeat(129) }));
  for (const text of malformed) t.equal(codeOf(text), 'INVALID_CLASSIFICATION', text);
});

test('strings that cannot be stored are refused, wherever they are', async (t) => {
  for (const bad of ['a\0b', '\ud800']) {
    for (const value of [{ runId: bad }, { a: [{ b: bad }] }, { [bad]: 1 }]) {
      t.equal(codeOf(JSON.stringify(value)), 'INVALID_CLASSIFICATION');
    }
  }
});

test('a number that JSON cannot hold is refused, wherever it is', async (t) => {
  for (const text of ['{"n":1e400}', '{"a":[{"b":-1e999}]}']) {
    t.equal(codeOf(text), 'INVALID_CLASSIFICATION', text);
  }
  t.equal(codeOf('{"n":1e300}'), 'none');
});

test('size is counted in bytes, and depth is bounded', async (t) => {
  const ofBytes = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;
  t.equal(codeOf(ofBytes(16_384)), 'none');
  t.equal(codeOf(ofBytes(16_385)), 'INVALID_CLASSIFICATION');
  t.equal(codeOf(`{"a":"${'ü'.repeat(8_192)}"}`), 'INVALID_CLASSIFICATION');
  t.equal(codeOf(nested(60)), 'none');
  t.equal(codeOf(nested(8_000)), 'INVALID_CLASSIFICATION');
});
