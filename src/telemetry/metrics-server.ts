import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from '@prometheus-io/client';

interface MetricsServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Options of the server; its answers are for operators. */
interface MetricsServerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly registry: Pick<Registry, 'metrics' | 'contentType'>;
  /** Names the parts that are not ready; empty if the process is ready. */
  readonly notReady: () => Promise<readonly string[]>;
  /** Names the parts that do not work although the process is ready. */
  readonly degraded?: () => Promise<readonly string[]>;
}

const readyWithinMs = 3_000;
const none = async () => [];

/**
 * Serves `/metrics` on a port of its own, with `/healthz` and `/readyz` for processes without the
 * API. Concurrent scrapes share one answer. Rejects if it cannot listen.
 */
export async function startMetricsServer(options: MetricsServerOptions): Promise<MetricsServer> {
  const { registry } = options;
  let scraping: Promise<string> | null = null;
  const scrape = () => {
    scraping ??= registry.metrics().finally(() => {
      scraping = null;
    });
    return scraping;
  };
  const answers: Readonly<Record<string, (res: ServerResponse) => Promise<void>>> = {
    '/metrics': async (res) => reply(res, 200, await scrape(), registry.contentType),
    '/healthz': async (res) => reply(res, 200, 'alive\n'),
    '/readyz': async (res) => {
      const notReady = await within(options.notReady());
      if (notReady.length === 0) {
        const degraded = await within((options.degraded ?? none)());
        reply(res, 200, ['ready', ...degraded.map((part) => `degraded: ${part}`), ''].join('\n'));
      } else reply(res, 503, `${notReady.join('\n')}\n`);
    },
  };
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, (req, res) => {
    const [path = ''] = (req.url ?? '').split('?');
    const answer = Object.hasOwn(answers, path) ? answers[path] : undefined;
    req.resume();
    if (answer === undefined) reply(res, 404, 'not found: use /metrics, /healthz or /readyz\n');
    else if (req.method !== 'GET' && req.method !== 'HEAD')
      reply(res, 405, 'method not allowed: use GET\n');
    else answer(res).catch(() => reply(res, 500, 'metrics could not be collected\n'));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function reply(res: ServerResponse, status: number, text: string, type = 'text/plain'): void {
  res.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(text);
}

async function within(found: Promise<readonly string[]>): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined;
  const silent = new Promise<readonly string[]>((resolve) => {
    timer = setTimeout(() => resolve(['no answer within 3 s']), readyWithinMs);
  });
  try {
    return await Promise.race([found.catch(() => ['readiness check']), silent]);
  } finally {
    clearTimeout(timer);
  }
}
