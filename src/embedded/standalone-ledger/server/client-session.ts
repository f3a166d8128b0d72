import type { RawData, WebSocket } from 'ws';
import type { JsonObject } from '../codec/json.ts';
import { answer, errorAnswer, notJson, parseMessage } from './answer.ts';
import type { Subscriber } from './broadcaster.ts';
import { type ClientCharge, chargeOf, isUnusable } from './client-charge.ts';
import type { CommandContext } from './command.ts';
import type { FaultState } from './faults.ts';
import { RpcError } from './rpc-error.ts';
import { Subscriptions } from './subscriptions.ts';

/** A client that reads too slowly is dropped when this many bytes wait for it. */
const mostBufferedBytes = 64 * 1024 * 1024;

interface SessionOptions {
  readonly context: Omit<CommandContext, 'subscriptions' | 'isAdministrator'>;
  readonly faults: FaultState;
  readonly onBug: (error: unknown) => void;
}

/** One connection: answers its requests in order and sends its subscriptions. */
export class ClientSession implements Subscriber {
  readonly subscriptions = new Subscriptions();
  readonly #socket: WebSocket;
  readonly #options: SessionOptions;

  constructor(socket: WebSocket, options: SessionOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.on('message', (data) => this.#receive(textOf(data)));
    socket.on('error', () => socket.terminate()); // broken or oversized frames, as in rippled
  }

  readonly send = (text: string): void => {
    if (this.#options.faults.silent || this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.send(text);
    if (this.#socket.bufferedAmount > mostBufferedBytes) this.#socket.terminate();
  };

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  #receive(text: string): void {
    if (this.#options.faults.silent || this.#socket.readyState !== this.#socket.OPEN) return;
    const message = parseMessage(text);
    const reply = message === undefined ? notJson(text) : this.#answer(message);
    if (reply !== undefined) this.send(JSON.stringify(reply));
  }

  /** The answer, or undefined if a fault drops it. */
  #answer(message: JsonObject): JsonObject | undefined {
    const { faults, context, onBug } = this.#options;
    if (faults.slowedDown > 0) {
      faults.slowedDown -= 1;
      return errorAnswer(message, new RpcError('slowDown'));
    }
    const isSubmit = message.command === 'submit';
    const { charge } = faults;
    if (charge?.drop()) {
      this.close(1008, 'threshold exceeded');
      return undefined;
    }
    if (isSubmit && faults.lostBefore > 0) {
      faults.lostBefore -= 1;
      warns(charge, message);
      return undefined;
    }
    const session = { subscriptions: this.subscriptions, isAdministrator: charge === null };
    const reply = answer({ ...context, ...session }, message, onBug);
    const isWarned = warns(charge, message, reply.error);
    if (isSubmit && faults.lostAfter > 0) {
      faults.lostAfter -= 1;
      return undefined;
    }
    // rippled loses the warning of an error answer, and charges for it nevertheless.
    return isWarned && reply.status === 'success' ? { ...reply, warning: 'load' } : reply;
  }
}

/** Charges for a request by its outcome. True if its answer warns. */
function warns(charge: ClientCharge | null, message: JsonObject, error?: unknown): boolean {
  charge?.add(chargeOf(message.command ?? message.method, error));
  return !isUnusable(error) && charge?.warn() === true;
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return Buffer.isBuffer(data) ? data.toString('utf8') : Buffer.from(data).toString('utf8');
}
