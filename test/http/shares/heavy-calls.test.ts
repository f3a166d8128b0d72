import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import pg from 'pg';
import tap, { type Test, test } from 'tap';
import { streams } from '../../../src/domain/streams.ts';
import { createShares } from '../../../src/http/shares/create-shares.ts';
import type { HttpService } from '../../support/http-service.ts';
import { callsOf, startRunService } from '../../support/run-service.ts';
import { until } from '../../support/until.ts';

const mib = 1_048_576;

/** Offloads calls to threads, which take long to start. */
const { service: threaded } = await startRunService(tap, { threads: true });

/** An agent of a new organisation of that service. */
async function newAgent() {
  const organisation = await threaded.openOrganisation();
  const key = await threaded.issueKey(organisation.organisationId, { agent: true });
  return { service: threaded, ...organisation, key, ...callsOf(threaded, key) };
}

/** Measures the work on this machine now, in milliseconds. */
function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/**
 * Longest delay of the event loop during the work, in milliseconds. Repeats the work up to twice while the
 * delay is not below `limitMs`, since other work of the machine delays it too.
 */
async function longestDelay(
  limitMs: number,
  work: (time: number) => Promise<unknown>,
): Promise<number> {
  const delays: number[] = [];
  for (let time = 0; time < 3 && !(Math.min(...delays) < limitMs); time += 1) {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await work(time);
    delay.disable();
    delays.push(delay.max / 1e6);
  }
  return Math.min(...delays);
}

/** Sends a part of a body and leaves the call open. */
function sendPart(
  t: Test,
  { port }: HttpService,
  key: string,
  part: Uint8Array,
  bytes = 7 * mib,
): ClientRequest {
  const outgoing = request({
    ...{ port, host: '127.0.0.1', method: 'POST', path: '/api/v1/agent/runs', agent: false },
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': bytes,
    },
  });
  outgoing.on('error', () => {});
  outgoing.write(part);
  t.teardown(() => outgoing.destroy());
  return outgoing;
}

async function statusOf(outgoing: ClientRequest): Promise<number> {
  const [{ statusCode }] = await once(outgoing, 'response');
  return statusCode;
}

test('the streams of listed webhook endpoints are read on a thread', async (t) => {
  const { key } = await threaded.openOrganisation();
  const json = { url: 'https://hooks.example/in', events: ['document.created'] };
  const { id } = (await threaded.call('POST', '/webhooks', { key, json })).body.data;
  const {
    events: { store },
  } = threaded.services;
  const reads = t.capture(store, 'readStreams', store.readStreams);
  t.match(await threaded.call('GET', '/webhooks', { key }), { body: { data: [{ id }] } });
  const read = reads.args().flatMap(([names]) => names);
  t.notOk(read.includes(streams.webhook(id)), 'not on the main thread');
});

test('a run of 2.6 million empty objects is refused without blocking the event loop', async (t) => {
  const { postText } = await newAgent();
  const text = `{"runId":"r","decisions":[${'{},'.repeat(2_600_000)}{}]}`;
  const body = Buffer.from(text);
  const parsingMs = timed(() => JSON.parse(text));
  const delayMs = await longestDelay(parsingMs / 2, async () => {
    t.match(await postText(body), {
      status: 400,
      body: { code: 'INVALID_REQUEST', message: 'body: must hold at most 900000 values' },
    });
  });
  t.comment(`${delayMs} ms; parsing it takes ${parsingMs} ms`);
  t.ok(delayMs < parsingMs / 2);
});

test('the largest run is recorded, compared and shown without blocking the event loop', async (t) => {
  const { postText, read } = await newAgent();
  const decision = `{"subject":"s","action":"a","v":[${Array(20_000).fill('{}').join(',')}]}`;
  const textOf = (runId: string) =>
    `{"runId":"${runId}","decisions":[${Array(30).fill(decision).join(',')}]}`;
  const bodies = ['a', 'b', 'c'].map((runId) => Buffer.from(textOf(runId)));
  // Start the threads before measuring.
  t.match(await postText(Buffer.from('{"runId":"first"}')), { status: 201 });
  t.match(await postText(Buffer.from(`{"runId":"${' '.repeat(70_000)}"}`)), { status: 400 });
  const workMs = timed(() => JSON.stringify(JSON.parse(textOf('d'))));
  const delayMs = await longestDelay(2 * workMs, async (time) => {
    const body = bodies[time] ?? Buffer.alloc(0);
    t.match(await postText(body), { status: 201, body: { data: { decisionsReported: 30 } } });
    t.match(await postText(body), { status: 200, body: { alreadyRecorded: true } });
    t.match(await postText(Buffer.from(`{"runId":"${'abc'[time]}"}`)), { status: 409 });
  });
  t.comment(`${delayMs} ms; reading and writing it once takes ${workMs} ms`);
  // Checking and comparing it takes many times as long. The threads delay the loop by some of that.
  t.ok(delayMs < 2 * workMs);
  t.equal((await read('a')).body.data.decisions.length, 30);
});

test('forty unfinished bodies use up only the share of their own organisation', async (t) => {
  const waits = { waitMs: 2_000, patienceMs: 60_000 };
  const shares = createShares({ largeBodies: waits });
  const { service, key, post } = await startRunService(t, { services: { calls: { shares } } });
  const other = await service.openOrganisation();
  const part = Buffer.alloc(6 * mib, ' ');
  const before = process.memoryUsage().arrayBuffers;
  const statuses: number[] = [];
  for (let n = 0; n < 40; n += 1) {
    const outgoing = sendPart(t, service, key, part);
    statusOf(outgoing).then(
      (status) => statuses.push(status),
      () => {},
    );
  }
  const decisions = Array(2).fill({ subject: 's', action: 'a', reason: 'x'.repeat(60_000) });
  const large = await callsOf(service, other.key).post({ runId: 'other', decisions });
  t.match(large, { status: 201 }, 'another organisation has its own share');
  t.match(await post({ runId: 'small' }), { status: 201 }, 'small bodies too');
  await until('all bodies without room are refused', async () => {
    return statuses.length === 37;
  });
  t.same(new Set(statuses), new Set([429]));
  const heldMib = (process.memoryUsage().arrayBuffers - before) / mib;
  t.ok(heldMib < 80, `${heldMib} MiB`);
  const [{ headers }] = await once(sendPart(t, service, key, part), 'response');
  t.match(headers, { 'retry-after': '5' });
});

test('a slow body is cut off while another of its organisation waits', async (t) => {
  const waits = { patienceMs: 50, graceMs: 50, perOrganisation: 8 * mib };
  const shares = createShares({ largeBodies: waits });
  const { service, key, post } = await startRunService(t, { services: { calls: { shares } } });
  const slow = sendPart(t, service, key, Buffer.alloc(100_000, ' '));
  const answered = statusOf(slow);
  await until('the body is being received', async () => shares.largeBodies.used > 0);
  const decision = { subject: 's', action: 'a', reason: 'x'.repeat(60_000) };
  t.match(await post({ runId: 'r', decisions: Array(40).fill(decision) }), { status: 201 });
  t.equal(await answered, 408);
});

test("slow small bodies are cut off while another organisation's body waits", async (t) => {
  const waits = { patienceMs: 50, graceMs: 50, perOrganisation: mib / 8, total: mib / 8 };
  const shares = createShares({ smallBodies: waits });
  const { service, key } = await startRunService(t, { services: { calls: { shares } } });
  const other = await service.openOrganisation();
  const slow = [1, 2].map(() => sendPart(t, service, key, Buffer.alloc(10, ' '), mib / 16));
  const answered = Promise.race(slow.map(statusOf));
  await until('there is no room left', async () => shares.smallBodies.used === mib / 8);
  t.match(await callsOf(service, other.key).post({ runId: 'r' }), { status: 201 });
  t.equal(await answered, 408);
});

test('stuck lists of one organisation do not delay lists of another', async (t) => {
  const { service, key, get } = await newAgent();
  const other = callsOf(service, (await service.openOrganisation()).key);
  const holder = new pg.Client({ connectionString: service.databaseUrl });
  await holder.connect();
  t.teardown(() => holder.end());
  await holder.query('BEGIN; LOCK TABLE agent_runs IN ACCESS EXCLUSIVE MODE');
  // More calls than database connections.
  const waiting = Array.from({ length: 40 }, () => get('/agent/runs'));
  for (let n = 0; n < 3; n += 1) {
    t.match(await other.get('/documents?search=a'), { status: 200 });
    t.match(await service.call('GET', '/workspaces', { key }), { status: 200 });
  }
  await holder.query('COMMIT');
  const statuses = (await Promise.all(waiting)).map(({ status }) => status);
  t.same(new Set(statuses), new Set([200]));
});

test('calls handled by other threads get the same answers as on the main thread', async (t) => {
  const services = [await newAgent(), await startRunService(t, { threads: false })];
  const large = ' '.repeat(100_000);
  const answers = services.map(async ({ service, postText, get, organisationId, workspaceId }) => {
    const key = await service.issueKey(organisationId);
    const postKey = (body: string) => {
      const headers = { 'content-type': 'application/json' };
      return service.call('POST', '/api-keys', { key, body, headers });
    };
    return [
      await postText('{"runId":"r","finishedAt":"2026-01-01T00:00:00Z"}'),
      await postText(`{"runId":"r","finishedAt":"2026-01-01T00:00:00Z"${large}}`),
      await postText('{"runId":"r"}'),
      await postText(`{"runId":"s"${large}`),
      await postText(`{"runId":"s","startedAt":"soon"${large}}`),
      await postText(`{"runId":"s","workspace":"01M7XT9M1N2P3Q4R5S6T7V8W9X"${large}}`),
      await get('/agent/runs/unknown'),
      await get('/agent/runs?page=x'),
      await get('/agent/runs?limit=1'),
      await get('/documents?search=a'),
      await postKey(`{"scopes":["documents:read"],"x":[0,{"deep":[[1]]}]${large}}`),
      await postKey(`{"scopes":[]${large}}`),
      await postKey(`{"scopes"${large}}`),
    ].map(({ status, headers, body }) => {
      const data = body.data && omit(body.data, 'id', 'key', 'prefix', 'createdAt', 'issuedBy');
      const message = body.message?.replace(workspaceId, 'WORKSPACE');
      return { status, type: headers.get('content-type'), ...body, message, data };
    });
  });
  const [elsewhere, here] = await Promise.all(answers);
  t.strictSame(elsewhere, here);
  const statuses = [201, 200, 409, 400, 400, 400, 404, 400, 200, 200, 201, 400, 400];
  t.strictSame(
    here?.map(({ status }) => status),
    statuses,
  );
});

/** The answer without values that differ each time. */
function omit(data: object, ...names: readonly string[]): object {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !names.includes(name)));
}
