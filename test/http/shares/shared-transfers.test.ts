import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import pg from 'pg';
import { type Test, test } from 'tap';
import { createShares } from '../../../src/http/shares/create-shares.ts';
import { startDocumentService } from '../../support/document-service.ts';
import { formType, rawForm } from '../../support/forms.ts';
import type { HttpService } from '../../support/http-service.ts';
import { startHttpService } from '../../support/http-service.ts';
import { startRunService } from '../../support/run-service.ts';
import { createScriptedDeliveries } from '../../support/scripted-deliveries.ts';
import { until } from '../../support/until.ts';

const soon = { perOrganisation: 1, waitMs: 100 } as const;
const tooMuch = { status: 429, body: { code: 'RATE_LIMIT_EXCEEDED' } };

/** Reads only the head of an answer. */
async function getUnread(
  t: Pick<Test, 'teardown'>,
  { port }: HttpService,
  key: string,
  path: string,
): Promise<IncomingMessage> {
  const outgoing = request({
    ...{ port, host: '127.0.0.1', path: `/api/v1${path}`, agent: false },
    headers: { authorization: `Bearer ${key}` },
  });
  outgoing.on('error', () => {});
  t.teardown(() => outgoing.destroy());
  outgoing.end();
  const [response] = await once(outgoing, 'response');
  response.on('error', () => {});
  return response;
}

test('concurrent uploads are limited per organisation', async (t) => {
  const shares = createShares({ uploads: soon });
  const { service, upload, key } = await startDocumentService(t, {
    services: { calls: { shares } },
  });
  const { key: other, workspaceId } = await service.openOrganisation();
  const half = rawForm([{ headers: ['X: y'], bytes: 'x' }], { end: false });
  const outgoing = request({
    ...{ port: service.port, host: '127.0.0.1', method: 'POST', path: '/api/v1/documents' },
    headers: { ...formType, authorization: `Bearer ${key}`, 'content-length': 100_000 },
    agent: false,
  });
  outgoing.on('error', () => {});
  outgoing.write(half);
  await until('the upload is being received', async () => shares.uploads.used === 1);
  const refused = await upload();
  t.match(refused, tooMuch);
  t.match(refused.headers.get('retry-after'), '5');
  t.match(await upload({}, { workspace: workspaceId }, { key: other }), { status: 201 });
  outgoing.destroy();
  await until('the upload is given up', async () => shares.uploads.used === 0);
  t.match(await upload(), { status: 201 });
});

test('concurrent downloads are limited per organisation', async (t) => {
  const shares = createShares({ downloads: soon });
  const { service, upload, get, key } = await startDocumentService(t, {
    services: { calls: { shares } },
  });
  const bytes = randomBytes(20_000_000);
  const { documentId } = (await upload({ name: 'a.bin', bytes })).body.data;
  const path = `/documents/${documentId}/file`;
  const unread = await getUnread(t, service, key, path);
  t.match(await get(path), tooMuch);
  t.match(await get(`/documents/${documentId}`), { status: 200 }, 'other calls work as before');
  unread.destroy();
  await until('the download is given up', async () => shares.downloads.used === 0);
  t.match(await get(path), { status: 200 });
  await until('the download is complete', async () => shares.downloads.used === 0);
});

test('unread large answers use up only the share of their own organisation', async (t) => {
  const mib = 1_048_576;
  const shares = createShares({ answers: { perOrganisation: 8 * mib, waitMs: 100 } });
  const { service, post, get, key } = await startRunService(t, { services: { calls: { shares } } });
  const decision = { subject: 's', action: 'a', reason: 'x'.repeat(60_000) };
  t.match(await post({ runId: 'r', decisions: Array(130).fill(decision) }), { status: 201 });
  const unread = [await getUnread(t, service, key, '/agent/runs/r')];
  t.ok(shares.answers.used > 7 * mib);
  t.match(await get('/agent/runs/r'), tooMuch);
  t.match(await get('/agent/runs'), { status: 200 }, 'small answers need no share');
  for (const response of unread) response.destroy();
  await until('the answer is given up', async () => shares.answers.used === 0);
  t.match(await get('/agent/runs/r'), { status: 200 });
});

test('an unread answer is cut off while another one waits', async (t) => {
  const mib = 1_048_576;
  const answers = { perOrganisation: 8 * mib, patienceMs: 20, graceMs: 20 };
  const shares = createShares({ answers: { ...answers, slowBytesPerSecond: 1_000 * mib } });
  const { service, post, get, key } = await startRunService(t, { services: { calls: { shares } } });
  const decision = { subject: 's', action: 'a', reason: 'x'.repeat(60_000) };
  t.match(await post({ runId: 'r', decisions: Array(130).fill(decision) }), { status: 201 });
  const unread = await getUnread(t, service, key, '/agent/runs/r');
  const ended = new Promise((resolve) => unread.once('close', resolve));
  t.match(await get('/agent/runs/r'), { status: 200 });
  unread.resume();
  await ended;
  t.notOk(unread.complete);
});

test('a test of a silent endpoint takes its time, and does not pass for a silent database', async (t) => {
  const outcome = { delivered: false, status: null, durationMs: 15_000, error: 'timeout' } as const;
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<typeof outcome>();
  const test = () => {
    begun.resolve();
    return end.promise;
  };
  const webhooks = { ...createScriptedDeliveries(), test };
  const service = await startHttpService(t, {
    services: { webhooks, calls: { answerWaitMs: 1_500 } },
  });
  const { key } = await service.openOrganisation();
  const json = { url: 'https://example.com/', events: ['proof.completed'] };
  const { id } = (await service.call('POST', '/webhooks', { key, json })).body.data;
  const testing = service.call('POST', `/webhooks/${id}/test`, { key });
  await begun.promise;
  const holder = new pg.Client({ connectionString: service.databaseUrl });
  await holder.connect();
  t.teardown(() => holder.end());
  await holder.query('BEGIN; LOCK TABLE documents IN ACCESS EXCLUSIVE MODE');
  t.match(await service.call('GET', '/documents', { key }), { status: 503 }, 'began later');
  end.resolve(outcome);
  t.match(await testing, { status: 200, body: { data: outcome } });
});

test('concurrent tests of webhook endpoints are limited per organisation', async (t) => {
  const shares = createShares({ webhookTests: soon });
  const outcome = { delivered: true, status: 204, durationMs: 1, error: null };
  const end = Promise.withResolvers<typeof outcome>();
  const webhooks = { ...createScriptedDeliveries(), test: () => end.promise };
  const service = await startHttpService(t, { services: { webhooks, calls: { shares } } });
  const register = async (key: string) => {
    const json = { url: 'https://example.com/', events: ['proof.completed'] };
    return (await service.call('POST', '/webhooks', { key, json })).body.data.id;
  };
  const [{ key }, { key: other }] = [
    await service.openOrganisation(),
    await service.openOrganisation(),
  ];
  const test = async (of: string) => {
    return service.call('POST', `/webhooks/${await register(of)}/test`, { key: of });
  };
  const first = test(key);
  await until('a test is under way', async () => shares.webhookTests.used === 1);
  t.match(await test(key), tooMuch);
  const others = test(other);
  await until(
    'a test of another organisation is under way',
    async () => shares.webhookTests.used === 2,
  );
  end.resolve(outcome);
  t.match(await Promise.all([first, others]), [{ status: 200 }, { status: 200 }]);
});
