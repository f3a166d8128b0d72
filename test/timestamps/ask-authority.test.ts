import { once } from 'node:events';
import { test } from 'tap';
import { askAuthority } from '../../src/timestamps/ask-authority.ts';
import { readResponse } from '../../src/timestamps/read-response.ts';
import {
  createTimestampAuthority,
  granting,
  serveTimestamps,
} from '../support/timestamp-authority.ts';

const data = Buffer.from('the text of a checkpoint\n');
const running = new AbortController().signal;

test('asks with the credentials of the URL, and returns the token as it was sent', async (t) => {
  const authority = await createTimestampAuthority(t);
  const sent: Buffer[] = [];
  const headers: unknown[] = [];
  const served = await serveTimestamps(t, async (query, request) => {
    headers.push(request.headers);
    const answer = await authority.answer(query);
    sent.push(answer);
    return answer;
  });
  const ask = (credentials: string) => {
    const url = served.url.replace('//', `//${credentials}@`);
    return askAuthority({ url, roots: [authority.root] }, data, running);
  };
  const { token, time } = await ask('customer:p%40ss');
  t.same(token, readResponse(sent[0] ?? Buffer.alloc(0)));
  t.ok(await authority.accepts(token, data));
  t.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000);
  t.match(headers, [
    {
      'content-type': 'application/timestamp-query',
      authorization: `Basic ${Buffer.from('customer:p@ss').toString('base64')}`,
    },
  ]);
  await ask(':token');
  t.match(headers[1], { authorization: `Basic ${Buffer.from(':token').toString('base64')}` });
});

test('a false answer is no token: an old one, an early or late time, too many bytes', async (t) => {
  const authority = await createTimestampAuthority(t);
  const served = await serveTimestamps(t, (query) => authority.answer(query));
  const { url } = served;
  const ask = () => askAuthority({ url, roots: [authority.root] }, data, running);
  const { token } = await ask();
  served.respond = () => granting(token);
  await t.rejects(ask(), { name: 'BadToken', message: /nonce/ });

  /** Signs the token of this request with a time so many days from now. */
  const shifted = (days: number) => async (query: Buffer) => {
    const content = await authority.contentOf(readResponse(await authority.answer(query)));
    const year = String(new Date().getUTCFullYear());
    const at = content.indexOf(Buffer.concat([Buffer.of(0x18, 15), Buffer.from(year)])) + 2;
    const time = new Date(Date.now() + days * 86_400_000).toISOString();
    content.write(`${time.slice(0, 19).replaceAll(/[-:T]/g, '')}Z`, at);
    return granting(await authority.sign(content));
  };
  served.respond = shifted(0);
  t.match(await ask(), { authority: 'O=Proofmark tests, CN=authority' });
  served.respond = shifted(1);
  await t.rejects(ask(), { name: 'BadToken', message: /differs from this machine's clock/ });
  // The certificate is valid for thirty days from now.
  for (const days of [-1, 60]) {
    served.respond = shifted(days);
    await t.rejects(ask(), { name: 'BadToken', message: /not yet valid or expired/ });
  }
  served.respond = () => Buffer.alloc(33_793, 0x30);
  await t.rejects(ask(), { name: 'BadToken', message: /larger than 33792 bytes/ });
  served.respond = () => Buffer.from('<html>');
  await t.rejects(ask(), { name: 'BadToken', message: /no time-stamp response/ });
});

test('an authority that fails, redirects or is silent is no reason to wait for long', async (t) => {
  const authority = await createTimestampAuthority(t);
  const served = await serveTimestamps(t, (_query, _request, response) => {
    response.writeHead(503).end();
    return null;
  });
  const { url } = served;
  const ask = (stopped = running) => askAuthority({ url, roots: [authority.root] }, data, stopped);
  await t.rejects(ask(), { message: 'the authority answered 503' });
  served.respond = (_query, _request, response) => {
    response.writeHead(307, { Location: url }).end();
    return null;
  };
  await t.rejects(ask(), { message: 'fetch failed' });
  t.equal(served.asked, 2);
  const stopping = new AbortController();
  let silent = () => {};
  const asked = new Promise<void>((resolve) => {
    silent = resolve;
  });
  served.respond = async (_query, request) => {
    silent();
    await once(request.socket, 'close');
    return null;
  };
  const waiting = ask(stopping.signal);
  await asked;
  stopping.abort();
  await t.rejects(waiting, { name: 'AbortError' });
  // A dribbled answer has no more time than a silent one.
  const slow = { url, roots: [authority.root], timeoutMs: 100 };
  await t.rejects(askAuthority(slow, data, running), { name: 'TimeoutError' });
  served.respond = async (_query, request, response) => {
    response.write(Buffer.of(0x30));
    await once(request.socket, 'close');
    return null;
  };
  await t.rejects(askAuthority(slow, data, running), { name: 'TimeoutError' });
});
