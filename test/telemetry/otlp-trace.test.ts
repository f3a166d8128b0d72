import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Test, test } from 'tap';
import { openOtlpTrace } from '../../src/telemetry/otlp-trace.ts';
import { startHttpService } from '../support/http-service.ts';
import { type ReceivedSpan, startOtlpReceiver } from '../support/otlp-receiver.ts';
import { until } from '../support/until.ts';

const options = {
  protocol: 'http/json',
  sampler: 'parentbased_always_on',
  samplerRatio: 1,
  serviceName: 'proofmark-test',
  version: '1.2.3',
  exportEveryMs: 20,
} as const;

/** The exporter reads its endpoint from the environment, like that of the service. */
function exportTo(t: Pick<Test, 'teardown'>, endpoint: string): void {
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = endpoint;
  process.env.OTEL_EXPORTER_OTLP_TIMEOUT = '5000';
  t.teardown(() => {
    delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
    delete process.env.OTEL_EXPORTER_OTLP_TIMEOUT;
  });
}

const named = (spans: readonly ReceivedSpan[], name: string) =>
  spans.find((span) => span.name === name);

test("a request is a span of the caller's trace and contains the spans of its work", async (t) => {
  const receiver = await startOtlpReceiver(t);
  exportTo(t, receiver.url);
  const { trace, close } = await openOtlpTrace({
    ...options,
    onTrouble: (error) => t.fail(`${error}`),
  });
  const service = await startHttpService(t, {
    services: {
      telemetry: { trace },
      lifecycle: { readiness: () => trace({ name: 'look' }, async () => ['nothing']) },
    },
  });
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const parentId = '00f067aa0ba902b7';
  const traceparent = `00-${traceId}-${parentId}-01`;
  const answer = await service.call('GET', '/readyz', { headers: { traceparent } });
  t.equal(answer.status, 503);
  await service.call('GET', '/proofs/nobody-is-told-of-this');
  // An unsampled trace stays unsampled, and an invalid traceparent begins a new trace.
  await service.call('GET', '/healthz', {
    headers: { traceparent: traceparent.replace(/01$/, '00') },
  });
  await service.call('GET', '/healthz', { headers: { traceparent: 'nonsense' } });
  await close();
  const { spans } = receiver;
  const ready = named(spans, 'GET /readyz');
  t.match(ready, {
    traceId,
    parentSpanId: parentId,
    kind: 2,
    status: { code: 2 },
    attributes: {
      'http.route': '/readyz',
      'http.response.status_code': 503,
      'proofmark.request.id': answer.headers.get('x-request-id'),
    },
  });
  t.match(named(spans, 'look'), { traceId, parentSpanId: ready?.spanId });
  const refused = named(spans, 'GET /api/v1/proofs/:proofId');
  t.match(refused?.attributes, {
    'error.type': 'INVALID_API_KEY',
    'http.response.status_code': 401,
  });
  const alive = spans.filter(({ name }) => name === 'GET /healthz');
  t.equal(alive.length, 1);
  t.not(alive[0]?.traceId, traceId);
  t.notMatch(receiver.bodies.join(''), 'nobody-is-told-of-this');
  t.match(receiver.resource(), { 'service.name': 'proofmark-test', 'service.version': '1.2.3' });
});

test('a failed span has no error message, and spans end with their work', async (t) => {
  const receiver = await startOtlpReceiver(t);
  exportTo(t, receiver.url);
  const { trace, close, traceId } = await openOtlpTrace({ ...options, onTrouble: () => {} });
  const seen: (string | null)[] = [];
  const failing = trace({ name: 'outer' }, async (outer) => {
    seen.push(traceId());
    outer.set({ counted: 3 });
    await trace({ name: 'apart', parent: null }, async () => seen.push(traceId()));
    await Promise.all([1, 2].map((each) => trace({ name: `inner ${each}` }, async () => each)));
    throw new TypeError('key svc_live_secret');
  });
  await t.rejects(failing, /svc_live_secret/, 'the caller gets the original error');
  t.equal(traceId(), null);
  await close();
  const outer = named(receiver.spans, 'outer');
  t.match(outer, { status: { code: 2 }, attributes: { counted: 3, 'error.type': 'TypeError' } });
  t.equal(outer?.traceId, seen[0]);
  for (const name of ['inner 1', 'inner 2']) {
    t.match(named(receiver.spans, name), { parentSpanId: outer?.spanId, traceId: outer?.traceId });
  }
  t.equal(named(receiver.spans, 'apart')?.traceId, seen[1]);
  t.not(seen[1], seen[0]);
  t.notMatch(receiver.bodies.join(''), 'svc_live_secret');
});

test('the default encoding is protobuf, sent to the same path', async (t) => {
  const receiver = await startOtlpReceiver(t);
  exportTo(t, receiver.url);
  const opened = await openOtlpTrace({
    ...options,
    protocol: 'http/protobuf',
    onTrouble: (error) => t.fail(`${error}`),
  });
  await opened.trace({ name: 'encoded in protobuf' }, async () => {});
  await opened.close();
  t.strictSame(receiver.types, ['application/x-protobuf']);
  t.match(receiver.bodies.join(''), 'encoded in protobuf');
});

test('a collector that is away or does not answer delays nothing', async (t) => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.teardown(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const { port } = silent.address() as AddressInfo;
  for (const endpoint of [`http://127.0.0.1:${port}`, 'http://127.0.0.1:1']) {
    exportTo(t, endpoint);
    // Timeout of an export. The default is 10 s.
    process.env.OTEL_EXPORTER_OTLP_TIMEOUT = '300';
    const troubles: unknown[] = [];
    const { trace, close } = await openOtlpTrace({
      ...options,
      onTrouble: (error) => troubles.push(error),
    });
    const work = Array.from({ length: 5_000 }, (_, index) =>
      trace({ name: 'work' }, async () => index),
    );
    t.equal((await Promise.all(work)).length, 5_000);
    if (endpoint.endsWith(':1')) {
      await until('the trouble is reported', async () => troubles.length > 0);
      t.equal(troubles.length, 1, 'reported once');
    }
    await close();
  }
});
