import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The calls that are under way: on which connections, and what is still running for them. */
export class InFlight {
  readonly #responses = new Map<Socket, Set<ServerResponse>>();
  readonly #running = new Set<Promise<void>>();

  /** A call began; `running` resolves when its handler is through, its client present or not. */
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

  /** Whether part of an answer may be on the wire already. */
  isAnswering(socket: Socket): boolean {
    return [...(this.#responses.get(socket) ?? [])].some((response) => response.headersSent);
  }

  /** Resolves when nothing runs any more. */
  async none(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
