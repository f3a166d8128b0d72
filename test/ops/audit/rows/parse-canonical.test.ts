import canonicalize from 'canonicalize';
import { test } from 'tap';
import { parseCanonical } from '../../../../ops/audit/rows/parse-canonical.ts';

const canonical = [
  ...['{}', '{"a":[{"b":1,"c":[]}],"d":null}', '{"":1,"a":1e+30}', '{"10":1,"9":2}'],
  ...['{"a":{"10":1,"9":{"b":"\\u001f\\"\\\\"}}}', '{"é":"ü","😀":1,"ﬀ":2}', '{"__proto__":1}'],
] as const;
const other = [
  ...['', '{', '[]', 'null', '"a"', '{"a": 1}', '{"b":1,"a":2}', '{"a":1,"a":1}', '{"a":1.0}'],
  ...['{"a":[{"c":1,"b":1}]}', '{"a":-0}', '{"a":1e400}', '{"9":1,"10":2}', '{"a":"\\ud800"}'],
  ...['{"\\ud800":1}', '{"a":"\\u0041"}', '{"a":"\\/"}', '{"ﬀ":2,"😀":1}', '{"a":1}\n'],
] as const;

test('a JSON object in canonical form is parsed, and no other text', (t) => {
  for (const text of canonical) {
    t.equal(canonicalize(JSON.parse(text)), text, 'the sample is right');
    t.strictSame(parseCanonical(text), JSON.parse(text), text);
  }
  for (const text of other) t.equal(parseCanonical(text), null, text);
  t.end();
});
