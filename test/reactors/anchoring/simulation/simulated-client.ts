import { EventEmitter } from 'node:events';
import { type Client, RippledError } from 'xrpl';
import type { JsonObject } from '../../../../src/embedded/standalone-ledger/codec/json.ts';
import type { LedgerTip } from '../../../../src/ledger/contract.ts';
import type { Step } from './faults.ts';
import type { ProcessEffects } from './process-effects.ts';
import type { SimulatedServer } from './simulated-server.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Registry of open connections. */
export interface ClientRegistry {
  readonly clients: Set<SimulatedClient>;
}

/** The part of the `xrpl` client used by the supervision of connections, without a socket. */
export class SimulatedClient extends EventEmitter {
  readonly connection = { connect: () => this.#connect() };
  readonly server: SimulatedServer;
  readonly #options: SimulatedClientOptions;
  #open = false;
  #subscribed = false;

  constructor(server: SimulatedServer, options: SimulatedClientOptions) {
    super();
    this.server = server;
    this.#options = options;
  }

  /** This client as the `xrpl` type. The supervision uses only the members defined here. */
  get asClient(): Client {
    return this as unknown as Client;
  }

  async #connect(): Promise<void> {
    const { time, registry, effects, timeoutMs } = this.#options;
    if (effects.dead) return;
    await time.sleep(1);
    if (this.server.silent) {
      await time.sleep(timeoutMs);
      throw new Error('timed out');
    }
    this.#open = true;
    registry.clients.add(this);
  }

  async request(request: JsonObject): Promise<{ readonly result: JsonObject }> {
    const step = stepOf(String(request.command));
    const answered = () => this.#answer(request);
    if (step === null) return answered();
    return this.#options.effects.perform(step, answered, () => new Error('the answer was lost'));
  }

  async #answer(request: JsonObject): Promise<{ readonly result: JsonObject }> {
    if (!this.#open) throw new Error('not connected');
    if (this.server.silent) {
      await this.#options.time.sleep(this.#options.timeoutMs);
      throw new Error('timed out');
    }
    if (request.command === 'subscribe') {
      this.#subscribed = true;
      return { result: ledgerMessage(this.server.tip) };
    }
    const { result, ...rest } = this.server.ask(request);
    if (rest.status !== 'success') throw new RippledError(String(rest.error), rest);
    return { result: result as JsonObject };
  }

  /** Sends the newest validated ledger of the server. */
  tell(): void {
    if (!this.#open || !this.#subscribed || this.server.silent) return;
    this.emit('ledgerClosed', ledgerMessage(this.server.tip));
  }

  /** Closes the connection from the server's side. */
  drop(code: number): void {
    if (!this.#open) return;
    this.#close();
    this.emit('disconnected', code);
  }

  async disconnect(): Promise<void> {
    this.#close();
  }

  #close(): void {
    this.#open = false;
    this.#options.registry.clients.delete(this);
  }
}

export interface SimulatedClientOptions {
  readonly time: VirtualTime;
  readonly effects: ProcessEffects;
  readonly registry: ClientRegistry;
  readonly timeoutMs: number;
}

/** A ledger in the form of `subscribe` and its stream. */
function ledgerMessage({ index, hash, closeTime }: LedgerTip): JsonObject {
  return { ledger_index: index, ledger_hash: hash, ledger_time: closeTime };
}

/** Step of a request, or null for requests that only maintain the connection. */
function stepOf(command: string): Step | null {
  switch (command) {
    case 'submit':
      return 'submit';
    case 'ledger':
      return 'read of a ledger';
    case 'account_info':
      return 'read of the account';
    case 'tx':
      return 'look-up';
    default:
      return null;
  }
}
