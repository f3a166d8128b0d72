import { randomBytes } from 'node:crypto';
import { Registry } from '@prometheus-io/client';
import { test } from 'tap';
import { requestMetrics } from '../../src/telemetry/request-metrics.ts';
import { readExposition, sampleValue } from '../support/exposition.ts';
import { startHttpService } from '../support/http-service.ts';

test('requests are labelled only by method, route pattern and status, for any input', async (t) => {
  const registry = new Registry();
  const { handled } = requestMetrics(registry);
  const service = await startHttpService(t, { services: { telemetry: { onHandled: handled } } });
  const { key } = await service.openOrganisation();
  const random = () => randomBytes(8).toString('hex');
  const paths = (): readonly (() => Promise<unknown>)[] => [
    () => service.call('GET', `/proofs/${random()}`, { key }),
    () => service.call('GET', `/documents/${random()}/versions?x=${random()}`, { key }),
    () => service.call('GET', `/agent/runs/${random()}`, { key }),
    () => service.call('GET', `/${random()}/${random()}`),
    () => service.call('DELETE', `/proofs/${random()}`, { key }),
    () => service.call('GET', '/workspaces', { key: `svc_live_${random()}` }),
    () => service.call('PROPFIND', `/${random()}`),
    () => service.call('POST', '/proofs', { key, json: { hash: random() } }),
  ];
  for (const request of paths()) await request();
  const before = readExposition(await registry.metrics());
  // Send each kind of request more than a hundred times, with over 1,000 paths and ids in all.
  for (let turn = 0; turn < 130; turn += 1) await Promise.all(paths().map((request) => request()));
  const after = readExposition(await registry.metrics());
  t.equal(after.length, before.length, 'no series was added');
  const count = (labels: Readonly<Record<string, string>>) =>
    sampleValue(after, 'proofmark_http_request_duration_seconds_count', labels);
  t.equal(count({ method: 'GET', route: '/api/v1/proofs/:proofId', status: '400' }), 131);
  t.equal(count({ method: 'GET', route: 'none', status: '404' }), 131);
  t.equal(count({ method: 'other', route: 'none' }), 131);
  t.equal(sampleValue(after, 'proofmark_http_errors_total', { code: 'INVALID_API_KEY' }), 131);
});
