import { Agent, type ClientRequest, request } from 'node:http';

/** One HTTP call. By default the whole body is sent at once. */
export interface Sent {
  readonly method: string;
  /** Path below `/api/v1`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: Buffer;
  /** Bytes of the body to send; the call then stays open. */
  readonly stopAfter?: number;
  /** Interval at which single bytes follow after `stopAfter`. */
  readonly trickleMs?: number;
  /** Leaves the answer's body unread. */
  readonly unread?: boolean;
}

/** Status of the answer; 0 if the connection broke before one arrived. */
export type Outcome = number;

/** Sends the calls of one key, each on a separate connection. */
export class HostileClient {
  readonly #address: string;
  readonly #key: string;
  readonly #agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  readonly #open = new Set<ClientRequest>();

  constructor({ address, key }: { readonly address: string; readonly key: string }) {
    this.#address = address;
    this.#key = key;
  }

  /** Resolves when the answer's head arrives, or when the client is closed. */
  send(sent: Sent): Promise<Outcome> {
    const { method, path, headers, body, stopAfter, trickleMs, unread = false } = sent;
    return new Promise((resolve) => {
      const outgoing = request(`${this.#address}/api/v1${path}`, {
        agent: this.#agent,
        method,
        headers: {
          authorization: `Bearer ${this.#key}`,
          ...(body && { 'content-type': 'application/json', 'content-length': body.length }),
          ...headers,
        },
      });
      this.#open.add(outgoing);
      outgoing.on('response', (response) => {
        resolve(response.statusCode ?? 0);
        response.on('error', () => {});
        if (!unread) response.resume();
      });
      outgoing.on('error', () => {});
      outgoing.on('close', () => {
        this.#open.delete(outgoing);
        resolve(0);
      });
      if (stopAfter === undefined) {
        outgoing.end(body);
        return;
      }
      outgoing.write((body ?? Buffer.alloc(stopAfter)).subarray(0, stopAfter));
      if (trickleMs !== undefined) trickle(outgoing, trickleMs);
    });
  }

  close(): void {
    for (const outgoing of this.#open) outgoing.destroy();
    this.#agent.destroy();
  }
}

function trickle(outgoing: ClientRequest, everyMs: number): void {
  const timer = setInterval(() => outgoing.write(' '), everyMs);
  outgoing.on('close', () => clearInterval(timer));
}
