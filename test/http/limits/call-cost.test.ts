import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import tap, { test } from 'tap';
import { streams } from '../../../src/domain/streams.ts';
import { routes } from '../../../src/http/routes.ts';
import { query } from '../../embedded/run-service.ts';
import { documentOf } from '../../support/contract/closed-document.ts';
import { type Answer, startHttpService } from '../../support/http-service.ts';
import { randomDigest } from '../../support/scripted-anchoring.ts';
import { createScriptedDeliveries } from '../../support/scripted-deliveries.ts';
import { until } from '../../support/until.ts';

const mb = 1_048_576;

const webhooks = createScriptedDeliveries();
const service = await startHttpService(tap, { threads: true, services: { webhooks } });

/** A new organisation. */
async function open() {
  const { organisationId, workspaceId: workspace } = await service.openOrganisation();
  const issue = (requestsPerMinute: number) =>
    service.issueKey(organisationId, { requestsPerMinute });
  return { organisationId, workspace, issue };
}

/** Report of a run, padded to a number of bytes. */
function runOf(runId: string, bytes: number): Buffer {
  const missing = bytes - JSON.stringify({ runId, pad: '' }).length;
  return Buffer.from(JSON.stringify({ runId, pad: 'x'.repeat(Math.max(0, missing)) }));
}

const jsonType = { 'content-type': 'application/json' };

/** The status, and the remaining requests of the key's minute. */
const leftOf = (status: number | undefined, rateLimit: unknown) => [
  status,
  Number(/^"minute";r=(\d+)/.exec(String(rateLimit))?.[1]),
];
const left = ({ status, headers }: Answer) => leftOf(status, headers.get('ratelimit'));

test('a body counts as one request for each MB, rounded up', async (t) => {
  const { issue } = await open();
  const key = await issue(60);
  const report = (runId: string, bytes: number) =>
    service.call('POST', '/agent/runs', { key, headers: jsonType, body: runOf(runId, bytes) });
  t.strictSame(left(await report('small', 20)), [201, 59]);
  t.strictSame(left(await report('one', mb)), [201, 58]);
  t.strictSame(left(await report('begun', mb + 1)), [201, 56]);
  t.strictSame(left(await report('most', 8 * mb)), [201, 48]);
  t.strictSame(left(await report('too much', 8 * mb + 1)), [413, 40]);
});

test('a body without Content-Length counts as the largest body', async (t) => {
  const { issue } = await open();
  const authorization = `Bearer ${await issue(60)}`;
  const options = { method: 'POST', headers: { authorization, ...jsonType } };
  // Without Content-Length Node sends the body chunked.
  const sent = request(`${service.url}/api/v1/agent/runs`, options);
  sent.write(runOf('chunked', 10));
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  t.strictSame(leftOf(answer.statusCode, answer.headers.ratelimit), [201, 52]);
});

test('a call that costs more than is left is refused, and one above the limit takes all of it', async (t) => {
  const { issue } = await open();
  const [five, ten] = await Promise.all([issue(5), issue(10)]);
  const report = (key: string, runId: string) =>
    service.call('POST', '/agent/runs', { key, headers: jsonType, body: runOf(runId, 8 * mb) });
  const get = (key: string) => service.call('GET', '/workspaces', { key });
  for (const remaining of [9, 8, 7]) t.strictSame(left(await get(ten)), [200, remaining]);
  const refused = await report(ten, 'refused');
  t.strictSame(left(refused), [429, 7], 'a refused call is not counted');
  t.match(refused.headers.get('retry-after'), /^([1-9]|[1-5]\d|60)$/);
  t.strictSame(left(await get(ten)), [200, 6]);

  t.strictSame(left(await report(five, 'whole')), [201, 0]);
  t.strictSame(left(await get(five)), [429, 0]);
  await query(service.databaseUrl, 'UPDATE request_counts SET minute_from = minute_from - 60000');
  await until('the next minute', async () => (await report(ten, 'refused')).status === 201);
  t.strictSame(left(await get(ten)), [200, 1]);
});

test('a search without an index counts as ten requests, any other as one', async (t) => {
  const { issue, organisationId, workspace } = await open();
  const key = await issue(60);
  const json = { hash: randomDigest(), workspace, fileName: 'Invoice 1.pdf' };
  const headers = { prefer: 'respond-async' };
  t.equal((await service.call('POST', '/proofs', { key, json, headers })).status, 202);
  const search = (text: string) =>
    service.call('GET', `/documents?search=${encodeURIComponent(text)}`, { key });
  const rows: readonly [string, number][] = [
    ['', 58],
    ['inv', 57],
    [json.hash, 56],
    ['in', 46],
    ['ß', 36],
    ['🎉x', 26],
    ['oic', 25],
  ];
  for (const [text, remaining] of rows)
    t.strictSame(left(await search(text)), [200, remaining], text);

  // Insert 6,000 copies of the proof: a search that matches most of them must read all.
  await query(
    service.databaseUrl,
    `INSERT INTO documents SELECT n, organisation_id, file_name, description, workspace_id, status,
       proof_id || n FROM documents, generate_series(2, 6000) n`,
  );
  await query(
    service.databaseUrl,
    `UPDATE document_ordinals SET last = 6000 WHERE organisation_id = '${organisationId}'`,
  );
  t.strictSame(left(await search('invoice')), [200, 15]);
  t.strictSame(left(await search('nothing of it')), [200, 14]);
  t.strictSame(left(await search('in')), [200, 4], 'known in advance, so it is counted once');
  const refused = await search('invoice');
  t.strictSame(left(refused), [429, 3], 'discovered too late, so it counts as one');
  t.match(refused.headers.get('retry-after'), /^([1-9]|[1-5]\d|60)$/);
  t.strictSame(left(await search('in')), [429, 3]);

  await query(service.databaseUrl, `UPDATE documents SET file_name = 'abcd bcde'`);
  const other = await issue(60);
  const answer = await service.call('GET', '/documents?search=abcde', { key: other });
  t.strictSame(left(answer), [200, 50], 'a rare text of common trigrams');
});

test('a page of deliveries costs one more request for each 10,000 before it', async (t) => {
  const { issue } = await open();
  const key = await issue(60);
  const url = 'https://example.com/hook';
  const json = { url, events: ['proof.completed'] };
  const { id } = (await service.call('POST', '/webhooks', { key, json })).body.data;
  const rows: readonly [string, number, number][] = [
    ['', 200, 58],
    ['?page=501', 200, 56],
    ['?page=100&limit=100', 200, 55],
    ['?page=101&limit=100', 200, 53],
    ['?page=&page=101&limit=&limit=100', 200, 51],
    ['?page=0', 400, 50],
    ['?page=x&limit=1e9', 400, 49],
    ['?page=1000000000', 429, 49],
  ];
  for (const [page, status, remaining] of rows) {
    const answer = await service.call('GET', `/webhooks/${id}/deliveries${page}`, { key });
    t.strictSame(left(answer), [status, remaining], page);
  }
});

test('sending deliveries again costs one more request for each 100, before they are sent', async (t) => {
  const { issue } = await open();
  const key = await issue(60);
  const json = { url: 'https://example.com/hook', events: ['proof.completed'] };
  const { id } = (await service.call('POST', '/webhooks', { key, json })).body.data;
  const add = (count: number) => {
    for (let n = 0; n < count; n += 1) webhooks.add(id, { status: 'failed' });
  };
  const retry = () => {
    const since = { since: '2026-01-01T00:00:00Z' };
    return service.call('POST', `/webhooks/${id}/deliveries/retry`, { key, json: since });
  };
  t.strictSame(left(await retry()), [200, 58], 'none');
  add(99);
  t.strictSame(left(await retry()), [200, 57]);
  add(250);
  t.strictSame(left(await retry()), [200, 54]);
  add(5_400);
  const refused = await retry();
  t.strictSame(left(refused), [200, 3]);
  t.strictSame(refused.body.data, { retried: 5_000, remaining: 400 });
  t.strictSame(left(await retry()), [429, 2], 'refused, and counted as one');
  const events = await service.store.readStream(streams.webhookSendings(id));
  t.equal(events.length, 3, 'what was refused is not on record');
});

test('a page of runs costs one more request for each 10,000 before it', async (t) => {
  const { issue } = await open();
  const key = await issue(60);
  const rows: readonly [string, number, number][] = [
    ['', 200, 59],
    ['?page=501', 200, 57],
    ['?page=1000000000&limit=100', 429, 57],
  ];
  for (const [page, status, remaining] of rows) {
    const answer = await service.call('GET', `/agent/runs${page}`, { key });
    t.strictSame(left(answer), [status, remaining], page);
  }
});

test('reading a run counts as one request for each MB, rounded up', async (t) => {
  const { issue } = await open();
  const key = await issue(60);
  const decision = { subject: 's', action: 'a', reason: 'x'.repeat(60_000) };
  const report = (runId: string, decisions: number) =>
    service.call('POST', '/agent/runs', {
      key,
      json: { runId, decisions: Array(decisions).fill(decision) },
    });
  t.strictSame(left(await report('small', 1)), [201, 59]);
  t.strictSame(left(await report('large', 50)), [201, 56]);
  const read = (runId: string) => service.call('GET', `/agent/runs/${runId}`, { key });
  t.strictSame(left(await read('small')), [200, 55]);
  t.strictSame(left(await read('large')), [200, 51], 'stored in 4 MB');
  t.strictSame(left(await read('unknown')), [404, 50]);
});

test('operations that can cost more than one request say so in the document', async (t) => {
  const { paths } = documentOf();
  const described = [...routes.based, ...routes.root].filter(({ path, method }) => {
    const template = path.replace(/[:*](\w+)/g, '{$1}');
    return / counts? as /.test(paths[template][method.toLowerCase()].description ?? '');
  });
  t.strictSame(described.map(({ operationId }) => operationId).sort(), [
    'createProofs',
    'getAgentDecisionProof',
    'getAgentRun',
    'getAgentRunStatement',
    'getProofBundle',
    'getProofXpop',
    'listAgentRuns',
    'listDocuments',
    'listWebhookDeliveries',
    'lookUpProofs',
    'recordAgentRun',
    'retryFailedWebhookDeliveries',
  ]);
});
