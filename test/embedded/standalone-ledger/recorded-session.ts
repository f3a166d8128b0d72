import { encode } from 'ripple-binary-codec';
import { ECDSA, Wallet } from 'xrpl';
import type { StandaloneLedger } from '../../../src/embedded/standalone-ledger/create-standalone-ledger.ts';
import { type Comparison, differences, isRecord, type Json } from './compare-answers.ts';
import type { RawConnection } from './raw-connection.ts';
import { sample } from './samples.ts';

/**
 * The recorded server's clock. Its ledger 2 closed at 848531010, and later ledgers one second
 * apart, however fast it closed them.
 */
const recordedTime = Date.UTC(2026, 10, 20, 23, 3, 29);

/**
 * A clock by which ledgers close at the recorded times: as many seconds ahead of it as the rounding
 * allows.
 */
export class RecordedClock {
  readonly #startMs: number;
  readonly #standsUntil: number;
  #closed = 1;

  /** The clock stands until this ledger has closed. */
  constructor(startMs = recordedTime, standsUntil = 5) {
    this.#startMs = startMs;
    this.#standsUntil = standsUntil;
  }

  readonly now = (): number =>
    this.#startMs + Math.max(0, this.#closed - this.#standsUntil) * 1_000;

  ledgerClosed(ledgerIndex: number): void {
    this.#closed = ledgerIndex;
  }
}

export const genesis = Wallet.fromSeed('snoPBrXtMeMyMHUVTgbuqAfg1SUTb', {
  algorithm: ECDSA.secp256k1,
});

/** A ledger that replays a recording, with the samples compared so far. */
export class RecordedSession {
  readonly ledger: StandaloneLedger;
  readonly connection: RawConnection;
  readonly compared = new Set<string>();
  readonly failures: string[] = [];
  readonly #clock: RecordedClock;

  constructor(ledger: StandaloneLedger, connection: RawConnection, clock = new RecordedClock()) {
    this.#clock = clock;
    this.ledger = ledger;
    this.connection = connection;
  }

  /** Sends the request of each sample and compares the answers. */
  async replay(...names: readonly string[]): Promise<void> {
    for (const name of names) {
      const { request, response } = sample(`${name}.json`);
      this.compare(`${name}.json`, await this.connection.ask(request), response);
    }
  }

  compare(name: string, actual: unknown, recorded: unknown, options: Comparison = {}): void {
    this.compared.add(name);
    this.failures.push(...differences(actual, recorded, options).map((line) => `${name}: ${line}`));
  }

  /** Submits a preparatory blob, whose result must be this one. */
  async prepare(blob: string, expected = 'tesSUCCESS'): Promise<void> {
    const { engine_result } = await this.connection.result({ command: 'submit', tx_blob: blob });
    if (engine_result !== expected) this.failures.push(`preparing: ${engine_result}`);
  }

  /** Closes ledgers until this one is validated. */
  async closeUntil(ledgerIndex: number): Promise<void> {
    for (;;) {
      const closed = await this.ledger.close();
      this.#clock.ledgerClosed(closed.ledgerIndex);
      if (closed.ledgerIndex >= ledgerIndex) return;
    }
  }
}

/** The signed blob of a transaction shown by a stream. */
export function blobOf(message: Json): string {
  if (!isRecord(message.tx_json)) throw new Error('no transaction in this message');
  const { DeliverMax, date: _, ...rest } = message.tx_json;
  return encode(DeliverMax === undefined ? rest : { ...rest, Amount: DeliverMax });
}

/** The blobs of a recorded ledger's transactions, in the order of submission. */
export function blobsByLedger(messages: readonly Json[]): ReadonlyMap<number, readonly string[]> {
  const blobs = new Map<number, string[]>();
  for (const message of messages) {
    if (message.status !== 'proposed') continue;
    const index = Number(message.ledger_current_index);
    blobs.set(index, [...(blobs.get(index) ?? []), blobOf(message)]);
  }
  return blobs;
}
