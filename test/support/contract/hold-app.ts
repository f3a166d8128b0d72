import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type Koa from 'koa';
import type { RequestState } from '../../../src/http/request-state.ts';
import { failOnBreaches } from './fail-on-breaches.ts';

/**
 * Compares every complete answer of the app with the OpenAPI document, for all callers. An undocumented
 * answer fails the test file.
 */
export function holdApp(app: Koa<RequestState>): void {
  const handlerOf = app.callback.bind(app);
  app.callback = () => {
    const handle = handlerOf();
    // The app's type includes HTTP/2, which the service does not offer.
    return ((req: IncomingMessage, res: ServerResponse) => {
      const chunks = collectBody(res);
      res.once('finish', () => {
        const type = String(res.getHeader('content-type') ?? '');
        const isJson = type === '' || type.startsWith('application/json');
        const exchange = {
          method: req.method ?? '',
          target: req.url ?? '',
          status: res.statusCode,
          headers: textsOf(res.getHeaders()),
          text: isJson ? decoded(Buffer.concat(chunks), res).toString() : null,
        };
        failOnBreaches(exchange);
      });
      return handle(req, res);
    }) as typeof handle;
  };
}

function decoded(body: Buffer, res: ServerResponse): Buffer {
  if (body.length === 0) return body;
  const coding = res.getHeader('content-encoding');
  if (coding === 'br') return brotliDecompressSync(body);
  return coding === 'gzip' ? gunzipSync(body) : body;
}

/** Collects the bytes written to the response from now on. */
function collectBody(res: ServerResponse): readonly Buffer[] {
  const chunks: Buffer[] = [];
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  for (const name of ['write', 'end'] as const) {
    // Both methods have overloads that no single function type can express.
    const original = res[name].bind(res) as (...given: unknown[]) => never;
    res[name] = ((...given: unknown[]) => {
      keep(given[0]);
      return original(...given);
    }) as never;
  }
  return chunks;
}

function textsOf(headers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
