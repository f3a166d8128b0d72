import { test } from 'tap';
import { parseObject } from '../../../../ops/audit/rows/parse-object.ts';

test('only a JSON object is parsed', async (t) => {
  t.strictSame(parseObject('{"size":1, "root":null}'), { size: 1, root: null });
  for (const text of ['', '{', 'null', '[]', '[{}]', '1', '"{}"', '{}x']) {
    t.equal(parseObject(text), null, text);
  }
});
