import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface RawRequest {
  readonly method: string;
  /** Request target as sent; characters that HTTP cannot carry are percent-encoded. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const answersWithinMs = 60_000;

/** Sends requests without the corrections of an HTTP client. `close` ends the connections. */
export function createSender(port: number): {
  send(raw: RawRequest): Promise<RawAnswer>;
  close(): void;
} {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const send = ({ method, target, headers, body }: RawRequest) =>
    new Promise<RawAnswer>((resolve, reject) => {
      const path = target.replace(/[^\x21-\xff]/g, (character) => encodeLoosely(character));
      const length = body === null ? {} : { 'content-length': String(body.length) };
      const sent = { host: '127.0.0.1', port, agent, method, path, timeout: answersWithinMs };
      const outgoing = request({ ...sent, headers: { ...headers, ...length } }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
        });
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')));
      outgoing.on('error', reject);
      outgoing.end(body ?? undefined);
    });
  return { send, close: () => agent.destroy() };
}

function encodeLoosely(character: string): string {
  const bytes = [...Buffer.from(character, 'utf8')];
  return bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}
