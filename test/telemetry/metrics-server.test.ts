import { Registry } from '@prometheus-io/client';
import { test } from 'tap';
import { startMetricsServer } from '../../src/telemetry/metrics-server.ts';

test('only metrics and health are served on the separate port', async (t) => {
  let notReady: readonly string[] = ['starting'];
  let scrapes = 0;
  const registry = {
    contentType: Registry.PROMETHEUS_CONTENT_TYPE,
    async metrics() {
      scrapes += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return 'up 1\n';
    },
  } as const;
  let degraded: readonly string[] = [];
  const health = { notReady: async () => notReady, degraded: async () => degraded };
  const options = { host: '127.0.0.1', port: 0, registry, ...health };
  const server = await startMetricsServer(options);
  t.teardown(() => server.stop());
  const get = (path: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${server.port}${path}`, init);

  const answers = await Promise.all(Array.from({ length: 20 }, () => get('/metrics')));
  t.strictSame(new Set(answers.map(({ status }) => status)), new Set([200]));
  t.match(answers[0]?.headers.get('content-type'), /^text\/plain; version=0\.0\.4/);
  t.strictSame(new Set(await Promise.all(answers.map((one) => one.text()))), new Set(['up 1\n']));
  t.ok(scrapes < 20, `20 concurrent scrapes were answered by ${scrapes}`);

  t.equal((await get('/healthz')).status, 200);
  const starting = await get('/readyz');
  t.equal(starting.status, 503);
  t.equal(await starting.text(), 'starting\n');
  notReady = [];
  t.equal(await (await get('/readyz')).text(), 'ready\n');
  degraded = ['uploads: refused'];
  const ready = await get('/readyz');
  t.strictSame([ready.status, await ready.text()], [200, 'ready\ndegraded: uploads: refused\n']);
  t.equal((await get('/metrics', { method: 'POST', body: 'x' })).status, 405);
  t.equal((await get('/constructor')).status, 404);
});
