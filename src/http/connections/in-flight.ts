import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Calls under way on each connection, and the handlers still running. */
export class InFlight {
  readonly #responses = new Map<Socket, Set<ServerResponse>>();
  readonly #lingering = new WeakSet<Socket>();
  readonly #running = new Set<Promise<void>>();

  /** Registers a call. `running` resolves when its handler ends, even if the client has left. */
  add(socket: Socket, response: ServerResponse, running: Promise<void>): void {
    const ended = running
      .catch(() => {})
      .then(() => {
        this.#running.delete(ended);
      });
    this.#running.add(ended);
    const responses = this.#responses.get(socket) ?? new Set();
    this.#responses.set(socket, responses.add(response));
    response.once('close', () => {
      responses.delete(response);
      if (responses.size === 0) this.#responses.delete(socket);
    });
  }

  isBusy(socket: Socket): boolean {
    return this.#responses.has(socket);
  }

  /** Resolves when every completely received call on this connection is answered or cut off. */
  async answered(socket: Socket): Promise<void> {
    const whole = [...(this.#responses.get(socket) ?? [])].filter(({ req }) => req.complete);
    const closed = whole.map((response) => {
      return new Promise<void>((resolve) => response.once('close', () => resolve()));
    });
    await Promise.all(closed);
  }

  /** Registers a call that was answered while its body is still arriving. */
  linger(request: IncomingMessage): void {
    const { socket } = request;
    this.#lingering.add(socket);
    request.once('end', () => this.#lingering.delete(socket));
  }

  /** Returns true if an answer, or part of one, was sent to the request that is still arriving. */
  isAnswered(socket: Socket): boolean {
    if (this.#lingering.has(socket)) return true;
    return [...(this.#responses.get(socket) ?? [])].some((response) => response.headersSent);
  }

  /** Resolves when no handler is running. */
  async none(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
