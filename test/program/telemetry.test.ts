import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { findEmbeddedPostgres } from '../../src/embedded/postgres/find-embedded-postgres.ts';
import { hashOf, prove } from '../support/api-client.ts';
import { announcedTypes, readExposition, sampleValue } from '../support/exposition.ts';
import { startOtlpReceiver } from '../support/otlp-receiver.ts';
import { firstKey, newDataDir, startProgram, stop } from '../support/program.ts';
import { until } from '../support/until.ts';
import { uploadDocument } from '../support/upload-client.ts';
import { callWebhooks, developmentRules } from '../support/webhook-client.ts';
import { startReceiver, status } from '../support/webhook-receiver.ts';

test("metrics, logs and traces cover the service's work and contain nothing confidential", async (t) => {
  const dataDir = await newDataDir(t);
  const collector = await startOtlpReceiver(t);
  const program = await startProgram(t, {
    ...developmentRules,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
    METRICS_PORT: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  });
  const [, port] = await program.said(/"port":(\d+),"msg":"metrics are served"/, 'stderr');
  const scrape = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const caller = { address: program.address, ...(await firstKey(program)) };
  const receiver = await startReceiver(t, { script: status(204) });
  const endpoint = { url: `${receiver.url}/hook-of-acme`, events: ['proof.completed'] };
  const { secret } = (await callWebhooks(caller, 'POST', '', endpoint)).body.data;

  const hash = hashOf('in confidence');
  const posted = await prove(caller, hash, { fileName: 'merger-plan.pdf' });
  const file = { name: 'whistle-blower.txt', bytes: 'what the file says' };
  t.equal((await uploadDocument(caller, file)).status, 201);
  const bearer = { headers: { authorization: `Bearer ${caller.key}` } };
  const pdf = await fetch(`${caller.address}/api/v1/certificates/${posted.proofId}`, bearer);
  t.equal(pdf.status, 200);
  await pdf.arrayBuffer();
  t.equal(
    (await fetch(`${caller.address}/nobody/knows/this-path?key=query-of-caller`)).status,
    404,
  );
  await until('the endpoint gets its delivery', async () => receiver.received.length > 0);
  t.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200);

  const text = await scrape();
  const samples = readExposition(text);
  const route = '/api/v1/proofs';
  const requests = 'proofmark_http_request_duration_seconds_count';
  t.equal(sampleValue(samples, requests, { method: 'POST', route, status: '201' }), 1);
  t.equal(sampleValue(samples, 'proofmark_http_errors_total', { code: 'NOT_FOUND' }), 1);
  t.ok((sampleValue(samples, 'proofmark_append_batch_events_sum') ?? 0) > 5);
  t.ok((sampleValue(samples, 'proofmark_account_above_reserve_drops') ?? 0) > 1e6);
  t.equal(sampleValue(samples, 'proofmark_anchoring_backlog', { state: 'pending' }), 0);
  for (const name of announcedTypes(text).keys()) {
    // Counts of checkpoints, the client's own metrics, and series that only servers with a fault or a limit have.
    const mayBeEmpty = [
      ...['proofmark_checkpoint', 'process_', 'nodejs_'],
      ...['proofmark_ledger_server_block', 'proofmark_ledger_submissions_per_minute'],
    ].some((of) => name.startsWith(of));
    if (!mayBeEmpty)
      t.ok(
        samples.some((sample) => sample.name.startsWith(name)),
        `${name} has a value`,
      );
  }
  const postgres = await findEmbeddedPostgres({ dataDir });
  const ended = await stop(program);
  t.equal(ended.code, 0);

  const lines = ended.stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const line of lines) {
    t.match(line, { level: /^(info|warn|error)$/, time: /^\d{4}-.+Z$/, msg: /./ });
    if (line.msg === 'request')
      t.match(line, { requestId: /^[0-9A-Z]{26}$/, traceId: /^[0-9a-f]{32}$/ });
  }
  const logged = lines.find((line) => line.msg === 'request' && line.status === 201);
  const { spans } = collector;
  const request = spans.find(({ traceId }) => traceId === logged?.traceId && traceId !== undefined);
  t.ok(request, 'a log line leads to its trace');
  t.equal(collector.resource()['service.name'], 'proofmark');
  for (const name of [
    `POST ${route}`,
    'append',
    'project documents',
    'project webhook deliveries',
    'anchoring prepare',
    'anchoring submit',
    'anchoring settle',
    'webhook delivery',
    'render certificate',
  ]) {
    t.ok(
      spans.some((span) => span.name === name),
      `${name} is traced`,
    );
  }
  const post = spans.find(({ name }) => name === `POST ${route}`);
  const append = spans.find(({ name, parentSpanId }) => {
    return name === 'append' && parentSpanId === post?.spanId;
  });
  t.ok(append, 'the append belongs to the trace of its request');

  const secrets = {
    ...{ hash, key: caller.key, secret, nonce: posted.proofNonce ?? '', url: 'hook-of-acme' },
    ...{ name: 'merger-plan', upload: 'whistle-blower', said: 'what the file says' },
    ...{
      path: 'this-path',
      query: 'query-of-caller',
      password: new URL(postgres?.url ?? '').password,
    },
    master: readFileSync(join(dataDir, 'master-key'), 'utf8').trim(),
  };
  const output = { metrics: text, log: ended.stderr, traces: collector.bodies.join('\n') };
  for (const [what, secretText] of Object.entries(secrets)) {
    t.ok(secretText.length > 5, what);
    for (const [where, all] of Object.entries(output)) {
      t.notOk(all.includes(secretText), `${where}: no ${what}`);
    }
  }
});
