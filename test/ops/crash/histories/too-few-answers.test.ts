import { test } from 'tap';
import { readAnswer } from '../../../../ops/crash/histories/client.ts';
import type { ClientAnswer, RecordedCall } from '../../../../ops/crash/histories/recorded-call.ts';
import { tooFewAnswers } from '../../../../ops/crash/histories/too-few-answers.ts';

const refused: ClientAnswer = { kind: 'refused', status: 404, code: 'X', proofId: null };

function calls(kind: 'post' | 'get' | 'list', count: number, answer: ClientAnswer = refused) {
  return Array.from({ length: count }, () => ({ request: { kind }, answer }) as RecordedCall);
}

test('a run without answers, or with too few, proves nothing', async (t) => {
  const planned = { seconds: 10, rate: 10 };
  const nothing = calls('get', 100, { kind: 'nothing' });
  const each = [...calls('post', 10), ...calls('get', 10)];
  t.match(tooFewAnswers([], planned), /^0 answers .* at least 40 must$/);
  t.match(tooFewAnswers([...nothing, ...each], planned), /^20 answers/);
  t.equal(tooFewAnswers([...each, ...calls('list', 20)], planned), null);
  const silentLists = calls('list', 50, { kind: 'nothing' });
  const without = [...each, ...calls('get', 50), ...silentLists];
  t.equal(tooFewAnswers(without, planned), 'no call of the kind list has an answer');
});

test('only silence and an overloaded service say nothing', async (t) => {
  for (const status of [408, 429, 503]) {
    t.strictSame(readAnswer({ status, text: '' }), { kind: 'nothing' });
  }
  const unexpected = (status: number) => ({ kind: 'refused', status, code: null, proofId: null });
  for (const text of ['', '<html>', 'null', '{}', '[1]']) {
    t.strictSame(readAnswer({ status: 200, text }), unexpected(200), JSON.stringify(text));
  }
  t.strictSame(readAnswer({ status: 502, text: 'Bad gateway' }), unexpected(502));
  t.throws(() => readAnswer({ status: 200, text: '{"data":[null],"meta":{"total":1}}' }));
});
