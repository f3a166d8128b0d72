import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

/** A span as a collector receives it, with its attributes as an object. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** Kind of span: 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly status: { readonly code?: number };
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A collector that accepts OTLP over HTTP at `/v1/traces`, in JSON. */
export interface OtlpReceiver {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** All received bodies, as text. */
  readonly bodies: readonly string[];
  /** Content types of the requests, in order of arrival. */
  readonly types: readonly string[];
  /** Attributes of the last received resource. */
  resource(): Readonly<Record<string, unknown>>;
}

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface TracesData {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<ReceivedSpan, 'attributes'> & {
        readonly attributes: readonly KeyValue[];
      })[];
    }[];
  }[];
}

export async function startOtlpReceiver(t: Pick<Test, 'teardown'>): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const types: string[] = [];
  let resource: Readonly<Record<string, unknown>> = {};
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('latin1');
    const type = req.headers['content-type'] ?? '';
    bodies.push(body);
    types.push(type);
    if (req.url === '/v1/traces' && type === 'application/json') {
      for (const spansOfResource of (JSON.parse(body) as TracesData).resourceSpans) {
        resource = objectOf(spansOfResource.resource.attributes);
        const received = spansOfResource.scopeSpans.flatMap((scope) => scope.spans);
        spans.push(...received.map((one) => ({ ...one, attributes: objectOf(one.attributes) })));
      }
    }
    const isJson = type === 'application/json';
    res.writeHead(req.url === '/v1/traces' ? 200 : 404, { 'content-type': type });
    res.end(isJson ? '{}' : '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, spans, bodies, types, resource: () => resource };
}

function objectOf(attributes: readonly KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => {
      const [plain] = Object.values(value);
      return [key, 'intValue' in value ? Number(plain) : plain];
    }),
  );
}
