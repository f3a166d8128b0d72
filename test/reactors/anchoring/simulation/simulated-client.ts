import type { JsonObject } from '../../../../src/embedded/standalone-ledger/codec/json.ts';
import type { LedgerTip } from '../../../../src/ledger/contract.ts';
import type {
  ReportedLedger,
  ServerAnswer,
  ServerSocket,
  SocketListeners,
} from '../../../../src/ledger/server-socket.ts';
import type { Step } from './faults.ts';
import type { ProcessEffects } from './process-effects.ts';
import type { SimulatedServer } from './simulated-server.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Registry of open connections. */
export interface ClientRegistry {
  readonly clients: Set<SimulatedClient>;
  /** Notes a blob that reaches a server. */
  submitted(blob: string): void;
}

/** A connection to a simulated server, without a socket. */
export class SimulatedClient implements ServerSocket {
  readonly opened: Promise<void>;
  readonly server: SimulatedServer;
  readonly #options: SimulatedClientOptions;
  readonly #listeners: SocketListeners;
  readonly #pending = new Set<(error: Error) => void>();
  #open = false;
  #subscribed = false;

  constructor(
    server: SimulatedServer,
    options: SimulatedClientOptions,
    listeners: SocketListeners,
  ) {
    this.server = server;
    this.#options = options;
    this.#listeners = listeners;
    this.opened = this.#connect();
    this.opened.catch(() => {});
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

  async ask(command: string, fields: object = {}): Promise<ServerAnswer> {
    const step = stepOf(command);
    const answered = () => this.#answer({ command, ...fields });
    const answer =
      step === null
        ? answered()
        : this.#options.effects.perform(step, answered, () => new Error('the answer was lost'));
    return this.#untilEnded(answer);
  }

  #untilEnded(answer: Promise<ServerAnswer>): Promise<ServerAnswer> {
    const ended = new Promise<never>((_, reject) => {
      this.#pending.add(reject);
      answer.then(
        () => this.#pending.delete(reject),
        () => this.#pending.delete(reject),
      );
    });
    return Promise.race([answer, ended]);
  }

  async #answer(request: JsonObject): Promise<ServerAnswer> {
    if (!this.#open) throw new Error('not connected');
    if (this.server.silent) {
      await this.#options.time.sleep(this.#options.timeoutMs);
      throw new Error('timed out');
    }
    if (request.command === 'subscribe') {
      this.#subscribed = true;
      return { status: 'success', result: ledgerMessage(this.server.tip) };
    }
    if (request.command === 'submit') this.#options.registry.submitted(String(request.tx_blob));
    return this.server.ask(request);
  }

  /** Sends the newest validated ledger of the server. */
  tell(): void {
    if (!this.#open || !this.#subscribed || this.server.silent) return;
    this.#listeners.onLedgerClosed(ledgerMessage(this.server.tip));
  }

  /** Closes the connection from the server's side. */
  drop(code: number): void {
    if (!this.#open) return;
    this.#close();
    this.#listeners.onClosed(code);
  }

  end(): void {
    this.#close();
    for (const reject of this.#pending) reject(new Error('the connection was closed'));
    this.#pending.clear();
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
function ledgerMessage({ index, hash, closeTime }: LedgerTip): ReportedLedger {
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
