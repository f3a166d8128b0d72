import { test } from 'tap';
import { readPause, readText } from '../../src/pages/read-answer.js';

const answer = (pause: string) => new Response('', { headers: { 'retry-after': pause } });

test('no pause is longer than a day, so that the timer of the browser holds it', async (t) => {
  t.equal(readPause(answer('31536000')), 86_400);
  t.equal(readPause(answer('9'.repeat(400))), 86_400);
  t.equal(readPause(answer('7')), 7);
  for (const odd of ['-5', 'soon', '0', '']) t.equal(readPause(answer(odd)), 60, odd);
});

test('an answer without an end is left', async (t) => {
  let parts = 0;
  const pull = (body: ReadableStreamDefaultController) => {
    parts += 1;
    body.enqueue(new Uint8Array(100_000));
  };
  await t.rejects(readText(new Response(new ReadableStream({ pull }))), SyntaxError);
  t.ok(parts < 20);
  t.equal(await readText(new Response('{}')), '{}');
});
