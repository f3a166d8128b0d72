import { BehaviorSubject } from 'rxjs';
import {
  ClientCharge,
  chargeOf,
} from '../../src/embedded/standalone-ledger/server/client-charge.ts';
import { type ChargeBook, createChargeBook } from '../../src/ledger/charge-book.ts';
import type { ChargeLimits } from '../../src/ledger/request-charge.ts';
import type { ServerConnection } from '../../src/ledger/server-connection.ts';
import type { ServerStatus } from '../../src/ledger/server-status.ts';
import type { VirtualClock } from './virtual-clock.ts';

const never = new AbortController().signal;

/** A server of others in virtual time, with one sum for all processes of this service. */
export class SimulatedPublicServer {
  readonly #clock: VirtualClock;
  readonly #limits: ChargeLimits;
  readonly #charge: ClientCharge;
  readonly #oneWayMs: number;
  /** Number of submissions that were answered. */
  submitted = 0;
  drops = 0;

  constructor(options: {
    readonly clock: VirtualClock;
    readonly limits: ChargeLimits;
    readonly random: () => number;
    /** Time that a message takes to or from the server. */
    readonly oneWayMs?: number;
  }) {
    const { clock, limits, random, oneWayMs = 1 } = options;
    this.#clock = clock;
    this.#limits = limits;
    this.#charge = new ClientCharge(limits, clock.now, random);
    this.#oneWayMs = oneWayMs;
  }

  /** Opens the connection of one process, whose clock is fast by this time. */
  async connect(ownPart = 1, fastMs = 0): Promise<SimulatedProcess> {
    const { now, wait } = this.#clock;
    const book = createChargeBook(now, wait, ownPart, () => now() + fastMs);
    const ending = new AbortController();
    const ask = (command: string) => this.#ask(book, command, ending.signal);
    await ask('server_info');
    await ask('server_info');
    book.open(this.#limits);
    await ask('fee');
    await ask('subscribe');
    return new SimulatedProcess({ book, clock: this.#clock, ask, ending });
  }

  async #ask(book: ChargeBook, command: string, ended: AbortSignal): Promise<void> {
    await book.turn(command, never);
    if (ended.aborted) return;
    await this.#clock.wait(this.#oneWayMs);
    if (this.#charge.drop()) {
      this.drops += 1;
      return;
    }
    this.#charge.add(chargeOf(command));
    const warned = this.#charge.warn();
    if (command === 'submit') this.submitted += 1;
    await this.#clock.wait(this.#oneWayMs);
    book.answered({ warned, isError: false });
  }
}

const readEveryMs = 4_000;

interface ProcessParts {
  readonly book: ChargeBook;
  readonly clock: VirtualClock;
  readonly ask: (command: string) => Promise<void>;
  readonly ending: AbortController;
}

/** A process that is connected to one server. */
export class SimulatedProcess {
  readonly book: ChargeBook;
  readonly #parts: ProcessParts;

  constructor(parts: ProcessParts) {
    this.book = parts.book;
    this.#parts = parts;
  }

  /** Reads each ledger until the end. */
  async read(): Promise<void> {
    const { ask, clock, ending } = this.#parts;
    while (!ending.signal.aborted) {
      for (const command of ['server_info', 'fee', 'ledger']) await ask(command);
      await clock.wait(readEveryMs);
    }
  }

  /** Looks up this number of transactions a second, each at a random time, until the end. */
  async lookUp(perSecond: number, random: () => number): Promise<void> {
    const { ask, clock, ending } = this.#parts;
    while (!ending.signal.aborted) {
      await clock.wait((random() * 2_000) / perSecond);
      void ask('tx');
    }
  }

  /** Submits as much as the book permits, this many at once, until the end. */
  async submit(atOnce = 64): Promise<void> {
    const { ask, ending } = this.#parts;
    const one = async () => {
      while (!ending.signal.aborted) await ask('submit');
    };
    await Promise.all(Array.from({ length: atOnce }, one));
  }

  /** Asks as soon as the book permits. Resolves with the answer. */
  ask(command: string): Promise<void> {
    return this.#parts.ask(command);
  }

  /** Ends without a further request, also of those that wait. */
  end(): void {
    this.#parts.ending.abort();
  }

  /** The process as a connection of a gateway. */
  connection(name: string): ServerConnection {
    const state = {
      ...{ state: 'ready', networkId: 1, connection: 1, standalone: false },
      ...{ unsupportedMajority: null, tip: { index: 10, hash: '', closeTime: 0 }, feesAt: 10 },
      ...{ baseFeeDrops: 10, openLedgerFeeDrops: 10, queueFeeDrops: 10, expectedLedgerSize: 1_000 },
      reserve: null,
    } satisfies ServerStatus;
    return {
      name,
      status: new BehaviorSubject<ServerStatus>(state),
      current: () => state,
      book: this.book,
      request: () => Promise.reject(new Error('not simulated')),
      submit: async <Result>() => {
        await this.#parts.ask('submit');
        return { engine_result: 'tesSUCCESS', validated_ledger_index: 10 } as Result;
      },
      isSilent: () => false,
      setAside() {},
      async close() {},
    };
  }
}
