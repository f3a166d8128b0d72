import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { type Test, test } from 'tap';
import { createShares } from '../../../src/http/shares/create-shares.ts';
import type { HttpService } from '../../support/http-service.ts';
import { startRunService } from '../../support/run-service.ts';
import { until } from '../../support/until.ts';

/** Opens a chunked POST of a run. */
function openChunked(
  t: Pick<Test, 'teardown'>,
  { port }: HttpService,
  key: string,
  headers: Readonly<Record<string, string>> = {},
): ClientRequest {
  const outgoing = request({
    ...{ port, host: '127.0.0.1', method: 'POST', path: '/api/v1/agent/runs', agent: false },
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
  });
  outgoing.on('error', () => {});
  t.teardown(() => outgoing.destroy());
  return outgoing;
}

async function answerOf(outgoing: ClientRequest) {
  const [response] = await once(outgoing, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) };
}

test('a chunked body may be as large as any other', async (t) => {
  const shares = createShares();
  const { service, key, read } = await startRunService(t, { services: { calls: { shares } } });
  const send = (runId: string, decisions: number, bytes: number) => {
    const outgoing = openChunked(t, service, key);
    const reason = 'x'.repeat(bytes);
    outgoing.write(`{"runId":"${runId}","decisions":[`);
    for (let n = 0; n < decisions; n += 1) {
      outgoing.write(`${n === 0 ? '' : ','}{"subject":"${n}","action":"a","reason":"${reason}"}`);
    }
    outgoing.end(']}');
    return answerOf(outgoing);
  };
  t.match(await send('small', 3, 10), { status: 201 });
  t.match(await send('large', 120, 60_000), { status: 201 });
  t.match((await read('large')).body.data.decisions, { length: 120 });
  t.match(await send('too large', 150, 60_000), {
    status: 413,
    body: { code: 'PAYLOAD_TOO_LARGE', message: /8388608/ },
  });
  t.match(await send('too many', 1_000, 0), { status: 201 });
  t.equal(shares.smallBodies.used + shares.largeBodies.used, 0, 'all shares are returned');
});

test('an incomplete or refused body returns its share', async (t) => {
  const shares = createShares();
  const { service, key } = await startRunService(t, { services: { calls: { shares } } });
  const used = () => shares.smallBodies.used + shares.largeBodies.used;
  const broken = openChunked(t, service, key);
  broken.write(' '.repeat(200_000));
  await until('the body has a share', async () => shares.largeBodies.used > 0);
  broken.destroy();
  await until('the share is returned', async () => used() === 0);
  const refused = openChunked(t, service, key);
  const answer = answerOf(refused);
  refused.write('['.repeat(900_001));
  t.match(await answer, { status: 400, body: { message: /900000 values/ } });
  t.equal(used(), 0);
});

test('a client that leaves while its chunked body waits for room occupies none', async (t) => {
  const shares = createShares();
  const { service, key, organisationId } = await startRunService(t, {
    services: { calls: { shares } },
  });
  const most = 24 * 1_048_576;
  const giveBack = await shares.largeBodies.take(organisationId, most);
  const claims = t.capture(shares.largeBodies, 'take', shares.largeBodies.take);
  const leaving = openChunked(t, service, key);
  leaving.write(' '.repeat(66_000));
  await until('the body waits for room', async () => claims().length > 0);
  leaving.destroy();
  await until('the client has left', async () => shares.smallBodies.used === 0);
  giveBack();
  await (await shares.largeBodies.take(organisationId, most))();
  t.equal(shares.largeBodies.used, 0);
});

test('"100 Continue" is sent when there is room for the body', async (t) => {
  const shares = createShares({ smallBodies: { perOrganisation: 1_000 } });
  const { service, key, organisationId } = await startRunService(t, {
    services: { calls: { shares } },
  });
  const giveBack = await shares.smallBodies.take(organisationId, 1_000);
  const body = JSON.stringify({ runId: 'r' });
  const headers = { expect: '100-continue', 'content-length': String(body.length) };
  const outgoing = openChunked(t, service, key, headers);
  let isWelcome = false;
  outgoing.once('continue', () => {
    isWelcome = true;
    outgoing.end(body);
  });
  outgoing.flushHeaders();
  const requests = () => service.log.length;
  const before = requests();
  t.match(await service.call('GET', '/workspaces', { key }), { status: 200 });
  await until('another call was answered', async () => requests() > before);
  t.notOk(isWelcome);
  giveBack();
  t.match(await answerOf(outgoing), { status: 201 });
});

test('a call without a valid key occupies no memory for its body', async (t) => {
  const shares = createShares();
  const { service } = await startRunService(t, { services: { calls: { shares } } });
  const outgoing = openChunked(t, service, 'nobody');
  outgoing.write(' '.repeat(1_000_000));
  t.match(await answerOf(outgoing), { status: 401 });
  t.equal(shares.smallBodies.used + shares.largeBodies.used, 0);
});
