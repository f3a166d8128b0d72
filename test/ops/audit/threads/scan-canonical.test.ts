import { test } from 'tap';
import { parseCanonical } from '../../../../ops/audit/rows/parse-canonical.ts';
import { ScannedMembers, scanCanonical } from '../../../../ops/audit/threads/scan-canonical.ts';
import { runCount } from '../../../support/run-count.ts';
import { seededRandom } from '../../../support/seed.ts';

const data = JSON.stringify({
  closeTimeIso: '2026-11-23T10:00:00.000Z',
  list: [{ a: null, b: [] }, -12, 0, 999_999_999_999_999, true, 'x'],
  nested: { a: { b: { c: {} } } },
  organisationId: '01M7XT7TZ4E5F6G7H8J9KAMBNC',
  sealed: 'AAAA',
  size: 5,
});

function scan(text: string) {
  const members = new ScannedMembers();
  const bytes = Buffer.from(`[${text}]`);
  const isCanonical = scanCanonical(bytes, 1, bytes.length - 1, members);
  return {
    isCanonical,
    members,
    at: (from: number, to: number) => bytes.toString('utf8', from, to),
  };
}

test('recognises canonical data, and finds the members that a check needs', async (t) => {
  t.equal(scan('{}').isCanonical, true);
  const { isCanonical, members, at } = scan(data);
  t.equal(isCanonical, true);
  t.match(members, { hasSealed: true, hasSize: true });
  t.equal(at(members.owner, members.ownerEnd), '"01M7XT7TZ4E5F6G7H8J9KAMBNC"');
  t.equal(at(members.closed, members.closedEnd), '"2026-11-23T10:00:00.000Z"');
  const other = scan('{"list":[{"organisationId":"x","sealed":1,"size":2}]}');
  t.match(other, { isCanonical: true, members: { owner: -1, hasSealed: false, hasSize: false } });
});

test('leaves everything else to the parser', async (t) => {
  const deep = `{"a":${'['.repeat(20)}${']'.repeat(20)}}`;
  const parsed = ['{"a":"\\n"}', '{"a":"é"}', '{"a":1e+30}', '{"a":1.5}', deep] as const;
  for (const text of parsed) {
    t.equal(scan(text).isCanonical, false, text);
    t.ok(parseCanonical(text), text);
  }
  const wrong = [
    ...['', '{', '[]', 'null', '"a"', '{"a": 1}', '{"b":1,"a":2}', '{"a":1,"a":1}', '{"a":1.0}'],
    ...['{"a":01}', '{"a":-0}', '{"a":-}', '{"a":1,}', '{,}', '{"a"}', '{"a":}', '{"a":[1,]}'],
    ...['{"a":[,]}', '{"a":tru}', '{"a":"x}', '{"a":1}\n', '{"a":1}{}', '{"ab":1,"a":2}', '{a:1}'],
    ...['{"a":9007199254740993}', '{"a":"\u0000"}', '{"a":[1}', '{"a":{"b":1]}', '{"a":1'],
  ];
  for (const text of wrong) {
    t.equal(scan(text).isCanonical, false, text);
    t.equal(parseCanonical(text), null, text);
  }
});

test('takes no changed text for canonical that the parser refuses', async (t) => {
  const draw = seededRandom(t);
  const below = (count: number) => Math.floor(draw() * count);
  const characters = '{}[]",:-0123456789truefalsn\\u é.eE+';
  let agreed = 0;
  for (let n = 0; n < runCount(10_000, 40_000); n += 1) {
    const at = below(data.length);
    const put = characters[below(characters.length)] ?? '';
    const text = data.slice(0, at) + put + data.slice(at + below(3));
    const { isCanonical } = scan(text);
    if (!isCanonical) continue;
    agreed += 1;
    if (parseCanonical(text) === null) t.fail(text);
  }
  t.ok(agreed > 100, `${agreed} texts`);
});
