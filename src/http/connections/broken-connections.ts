import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { ErrorCode } from '../errors/error-code.ts';
import { errorReply } from '../errors/error-reply.ts';
import { corsHeaders, isForAnyOrigin } from '../headers/cors.ts';
import { securityHeaders } from '../headers/security-headers.ts';
import type { Reply } from '../reply.ts';
import type { InFlight } from './in-flight.ts';

const closeMs = 1_000;

/**
 * Answers data that never becomes a request (broken HTTP, headers too large or too slow) with an
 * error body, and closes the connection. Closes a connection without any data silently.
 */
export function answerBrokenConnections(
  server: Server,
  inFlight: InFlight,
  options: {
    readonly log: Logger;
    readonly newId: () => string;
    readonly https?: boolean;
  },
): void {
  const broken = new WeakSet<Duplex>();
  const { https = false } = options;
  /** Answers once per connection, after the answers to earlier requests on it. */
  const onceQuiet = (socket: Socket, answer: () => void) => {
    if (broken.has(socket)) return;
    broken.add(socket);
    socket.on('error', () => {});
    inFlight.answered(socket).then(answer);
  };
  const answer = (
    socket: Duplex,
    reply: Reply & { readonly reason: string },
    path: string | null = null,
  ) => {
    const requestId = options.newId();
    const { status, reason } = reply;
    options.log.info({ requestId, method: null, route: null, status, reason }, 'request');
    // Read on for a moment (`closeMs`): a reset could discard the answer before the client reads
    // it.
    const anyOrigin = path !== null && isForAnyOrigin(path);
    socket.end(toText(reply, requestId, { anyOrigin, https }));
    const timer = setTimeout(() => socket.destroy(), closeMs);
    socket.once('close', () => clearTimeout(timer));
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    onceQuiet(socket, () => {
      // Clients open connections ahead, and would take the answer for that to their first request.
      const isUnused = socket.bytesRead === 0;
      if (!socket.writable || isUnused || inFlight.isAnswered(socket)) socket.destroy();
      else {
        const path = error instanceof BodyTooSlow ? error.path : null;
        answer(socket, { ...replyToParser(error.code), reason: error.code ?? error.name }, path);
      }
    });
  });
  server.on('connect', (_req, socket: Socket) => {
    const reply = errorReply(
      'METHOD_NOT_ALLOWED',
      'this server is not a proxy and does not support CONNECT',
    );
    onceQuiet(socket, () => {
      answer(socket, { ...reply, headers: { Allow: '' }, reason: 'CONNECT' });
    });
  });
}

/** A request whose body took too long to arrive. The code is that of node's own timeout. */
export class BodyTooSlow extends Error {
  readonly code = 'ERR_HTTP_REQUEST_TIMEOUT';
  readonly path: string;

  constructor(path: string) {
    super('the body took too long');
    this.path = path;
  }
}

/** Error reply for a code of node's HTTP parser (llhttp) or of node's own timeouts. */
function replyToParser(code: string | undefined): Reply {
  const [ours, message] = faults[code ?? ''] ?? [
    'INVALID_REQUEST',
    'the request is not valid HTTP',
  ];
  return errorReply(ours, message);
}

const faults: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: [
    'REQUEST_HEADER_FIELDS_TOO_LARGE',
    'the headers of the request are too large',
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['PAYLOAD_TOO_LARGE', 'the chunk extensions are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['REQUEST_TIMEOUT', 'the request took too long to arrive'],
};

/** Serialises a reply as an HTTP/1.1 response. `seen` selects the headers for browsers. */
function toText(
  { status, headers = {}, body }: Reply,
  requestId: string,
  seen: { readonly anyOrigin: boolean; readonly https: boolean },
): string {
  const text = JSON.stringify(body);
  const lines = Object.entries({
    ...headers,
    'X-Request-Id': requestId,
    ...securityHeaders(seen),
    ...(seen.anyOrigin && corsHeaders),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(text)),
    Date: new Date().toUTCString(),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', text].join('\r\n');
}
