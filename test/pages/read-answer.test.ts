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
  let isCancelled = false;
  const body = new ReadableStream({
    pull(controller) {
      parts += 1;
      controller.enqueue(new Uint8Array(100_000));
    },
    cancel() {
      isCancelled = true;
    },
  });
  await t.rejects(readText(new Response(body)), SyntaxError);
  t.ok(parts < 20);
  t.ok(isCancelled);
  t.equal(await readText(new Response('{}')), '{}');
  t.equal(await readText(new Response(null)), '');
});

test('reads an answer in a browser that cannot iterate streams, such as Safari', async (t) => {
  const response = new Response('{"name":"Zoë"}');
  Object.defineProperty(response.body, Symbol.asyncIterator, { value: undefined });
  t.equal(await readText(response), '{"name":"Zoë"}');
});
