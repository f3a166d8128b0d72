import { once } from 'node:events';
import WebSocket from 'ws';
import { isRecord, type Json } from './compare-answers.ts';

/** A bare connection that shows every message exactly as sent by the ledger. */
export class RawConnection {
  readonly socket: WebSocket;
  /** Messages other than answers, in order of arrival. */
  readonly pushed: Json[] = [];
  /** Code and reason of the close, with or without an earlier error. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  readonly #waiting: ((answer: Json) => void)[] = [];

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('error', () => {}); // tests look at the close that follows
    this.closed = new Promise((resolve) => {
      socket.once('close', (code, reason) => resolve({ code, reason: String(reason) }));
    });
    socket.on('message', (data) => {
      const message: unknown = JSON.parse(String(data));
      if (!isRecord(message)) throw new Error(`not an object: ${data}`);
      const isAnswer = message.type === 'response' || message.type === 'error';
      if (isAnswer) this.#waiting.shift()?.(message);
      else this.pushed.push(message);
    });
  }

  /** Answer to one request, which may be any text. */
  ask(request: unknown): Promise<Json> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.socket.send(typeof request === 'string' ? request : JSON.stringify(request));
    });
  }

  /** The `result` of a request that succeeds. */
  async result(request: Json): Promise<Json> {
    const answer = await this.ask(request);
    if (!isRecord(answer.result)) throw new Error(`refused: ${JSON.stringify(answer)}`);
    return answer.result;
  }

  /** Messages pushed since the last call, after everything sent before has arrived. */
  async takePushed(): Promise<Json[]> {
    await this.ask({ command: 'ping' });
    return this.pushed.splice(0);
  }

  close(): void {
    this.socket.terminate();
  }
}

export async function connect(url: string): Promise<RawConnection> {
  const socket = new WebSocket(url);
  const connection = new RawConnection(socket);
  await once(socket, 'open');
  return connection;
}
