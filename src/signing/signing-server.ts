import { once } from 'node:events';
import { chmod, lstat, rm, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { ZodError } from 'zod';
import { OperatorError } from '../errors/operator-error.ts';
import type { Signer } from '../ledger/signer.ts';
import { SignerUnavailable } from '../ledger/signer-unavailable.ts';
import { accountsPath, maxRequestBytes, signPath, signRequest } from './protocol.ts';
import { reasonAgainst, type SigningTerms } from './reason-against.ts';
import type { SigningRate } from './signing-rate.ts';

/** An account to sign for, and the purpose of its transactions. */
export interface ServedAccount {
  readonly signer: Signer;
  readonly purpose: SigningTerms['purpose'];
}

interface ServingOptions {
  /** Absolute path of the Unix socket. */
  readonly socket: string;
  readonly accounts: readonly ServedAccount[];
  readonly maxFeeDrops: number;
  readonly rate: SigningRate;
  readonly onSigned: (account: string, count: number) => void;
  /** Called when a request was refused: somebody else may be using the socket. */
  readonly onRefused: (reason: string) => void;
  /** Called when a permitted request failed. */
  readonly onFailed: (error: unknown) => void;
}

const requestMs = 10_000;
/** Each process that anchors keeps at most 16. */
const maxConnections = 256;

/**
 * Signs anchoring transactions for processes that may use the socket. Its file and folder keep
 * others out: the folder must be closed to other users. Rejects with `UnsafeSocket` if it is not,
 * or if another process serves the socket.
 */
export async function serveSigning(options: ServingOptions): Promise<{ stop(): Promise<void> }> {
  const { socket } = options;
  await prepareSocket(socket);
  const timeouts = {
    requestTimeout: requestMs,
    headersTimeout: requestMs,
    connectionsCheckingInterval: 1_000,
  };
  const server = createServer(timeouts, (request, response) => {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    answer(options, request, gone.signal)
      .catch((error) => answerTo(error, options))
      .then((answered) => send(response, answered));
  });
  server.maxConnections = maxConnections;
  server.listen(socket);
  await once(server, 'listening');
  // For the owner and the group of the folder.
  await chmod(socket, 0o660);
  return {
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      await closed;
    },
  };
}

/** Checks who can reach the socket, and removes the one that a killed process left. */
async function prepareSocket(socket: string): Promise<void> {
  const folder = dirname(socket);
  const { mode, uid } = await stat(folder).catch((cause) => {
    throw new UnsafeSocket(`SIGNER_SOCKET: the folder ${folder} does not exist`, { cause });
  });
  if ((mode & 0o027) !== 0) {
    throw new UnsafeSocket(
      `SIGNER_SOCKET: others can change or enter ${folder}: chmod g-w,o= ${folder}`,
    );
  }
  if (uid !== 0 && uid !== process.getuid?.()) {
    throw new UnsafeSocket(`SIGNER_SOCKET: ${folder} belongs to another user`);
  }
  const left = await lstat(socket).catch(() => null);
  if (left === null) return;
  if (!left.isSocket()) throw new UnsafeSocket(`SIGNER_SOCKET: ${socket} exists and is no socket`);
  if (await isServed(socket)) {
    throw new UnsafeSocket(`SIGNER_SOCKET: another process serves ${socket}`);
  }
  await rm(socket);
}

/** Only a refused connection shows that no process listens. */
function isServed(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    connection.on('connect', () => {
      connection.destroy();
      resolve(true);
    });
    connection.on('error', (error) => {
      resolve(!('code' in error && error.code === 'ECONNREFUSED'));
    });
  });
}

interface Answer {
  readonly status: number;
  readonly body: object;
}

function answerTo(error: unknown, { onRefused, onFailed }: ServingOptions): Answer {
  if (error instanceof SignerUnavailable) {
    onFailed(error);
    return { status: 503, body: { error: error.message } };
  }
  if (error instanceof SyntaxError || error instanceof ZodError) {
    const reason = 'the request is malformed';
    onRefused(reason);
    return { status: 400, body: { error: reason } };
  }
  onFailed(error);
  return { status: 500, body: { error: 'signing failed: see the log of the signer' } };
}

/** Signing ends when `gone` is aborted: the caller does not wait any more. */
async function answer(
  options: ServingOptions,
  request: IncomingMessage,
  gone: AbortSignal,
): Promise<Answer> {
  const { accounts, rate, maxFeeDrops, onSigned, onRefused, onFailed } = options;
  const route = `${request.method} ${request.url}`;
  if (route === `GET ${accountsPath}`) {
    const known = accounts.map(({ signer: { address, publicKey } }) => ({ address, publicKey }));
    return { status: 200, body: { accounts: known } };
  }
  if (route !== `POST ${signPath}`) return { status: 404, body: { error: `no ${route}` } };
  const { account, messages } = signRequest.parse(JSON.parse(await bodyOf(request)));
  const refuse = (status: number, reason: string): Answer => {
    onRefused(reason);
    return { status, body: { error: reason } };
  };
  const served = accounts.find(({ signer }) => signer.address === account);
  if (served === undefined) return refuse(403, `no key of ${account} is configured here`);
  const { signer, purpose } = served;
  const bytes = messages.map((message) => Buffer.from(message, 'hex'));
  for (const message of bytes) {
    const reason = reasonAgainst(message, { account: signer, purpose, maxFeeDrops });
    if (reason !== null) return refuse(403, `a transaction is not signed: ${reason}`);
  }
  const waitMs = rate.take(bytes.length);
  if (waitMs > 0) {
    const error = `SIGNATURES_PER_MINUTE is reached; next in ${Math.ceil(waitMs / 1_000)} s`;
    onFailed(new SignerUnavailable(error));
    return { status: 429, body: { error } };
  }
  const signatures = await signer.sign(bytes, gone);
  onSigned(account, signatures.length);
  return { status: 200, body: { signatures } };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxRequestBytes) request.destroy();
  });
  return text(request);
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** The signing process cannot serve its socket safely. The message is complete for the operator. */
class UnsafeSocket extends OperatorError {}
