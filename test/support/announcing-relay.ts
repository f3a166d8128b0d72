import type { Test } from 'tap';
import { startWebSocketRelay } from '../../ops/crash/websocket-relay.ts';
import {
  encodeHeader,
  ledgerHash,
} from '../../src/embedded/standalone-ledger/codec/ledger-header.ts';

const noHash = 'F'.repeat(64);

/** A server of the ledger that can also announce ledgers that do not exist. */
export interface AnnouncingRelay {
  readonly url: string;
  /** Sends `ledgerClosed` for a ledger, by default an invented one, to every client. */
  announce(index: number, closeTime: number, hash?: string): void;
  /** The same for an invented ledger, and answers requests for the ledger with bytes that are no header. */
  garble(index: number, closeTime: number): void;
  /** From now on answers requests for the ledger with an invented header; returns its hash. */
  invent(index: number, closeTime: number): string;
  /** The same, and announces it. */
  forge(index: number, closeTime: number): string;
  /** From now on passes no `ledgerClosed` on, and answers that no newer ledger than this one is there. */
  lag(index: number): void;
  /** Ends all connections. New ones are accepted. */
  cut(): void;
  /** From now on answers the first request for each ledger that it does not have this ledger yet. */
  missFirst(): void;
}

/**
 * Relays WebSocket connections to the server behind it, apart from requests with a `mute` command.
 * - `change`: changes the text of each message of the server.
 */
export async function startAnnouncingRelay(
  t: Pick<Test, 'teardown'>,
  behind: string,
  mute: (command: string) => boolean = () => false,
  change: (message: string) => string = (message) => message,
): Promise<AnnouncingRelay> {
  const forged = new Map<number, object>();
  let newest = Number.POSITIVE_INFINITY;
  let missed: Set<unknown> | null = null;
  const relay = await startWebSocketRelay(behind, (send) => ({
    passesOn(request) {
      const { id, command, ledger_index: index } = JSON.parse(request);
      if (mute(command)) return false;
      const result = command === 'ledger' ? forged.get(index) : undefined;
      if (result !== undefined) {
        send(JSON.stringify({ id, type: 'response', status: 'success', result }));
        return false;
      }
      const isMissed = missed?.has(index) === false;
      if (command === 'ledger' && (index > newest || isMissed)) {
        missed?.add(index);
        const error = { error: 'lgrNotFound', error_code: 21, error_message: 'ledgerNotFound' };
        send(JSON.stringify({ id, type: 'response', status: 'error', ...error }));
        return false;
      }
      return true;
    },
    onMessage(message) {
      const { type, ledger_index: index } = JSON.parse(message);
      if (type !== 'ledgerClosed' || index <= newest) send(change(message));
    },
  }));
  t.teardown(() => relay.close());
  const announce = (index: number, hash: string, closeTime: number) => {
    const invented = { ledger_index: index, ledger_hash: hash, ledger_time: closeTime };
    relay.sendAll(JSON.stringify({ type: 'ledgerClosed', ...invented }));
  };
  const invent = (index: number, closeTime: number) => {
    const header = {
      ...{ ledgerIndex: index, totalDrops: 100_000_000_000_000_000n, closeTime },
      ...{ parentHash: 'A'.repeat(64), transactionHash: '0'.repeat(64) },
      ...{ accountHash: 'B'.repeat(64), parentCloseTime: closeTime - 4 },
      ...{ closeTimeResolution: 10, closeFlags: 0 },
    };
    const hash = ledgerHash(header);
    const ledger = { ledger_data: encodeHeader(header).toString('hex').toUpperCase() };
    forged.set(index, { ledger, ledger_hash: hash, ledger_index: index, validated: true });
    return hash;
  };
  return {
    url: relay.url,
    announce: (index, closeTime, hash = noHash) => announce(index, hash, closeTime),
    garble(index, closeTime) {
      const ledger = { ledger_data: 'AB' };
      forged.set(index, { ledger, ledger_hash: noHash, ledger_index: index, validated: true });
      announce(index, noHash, closeTime);
    },
    cut: () => relay.cut(),
    invent,
    forge(index, closeTime) {
      const hash = invent(index, closeTime);
      announce(index, hash, closeTime);
      return hash;
    },
    lag(index) {
      newest = index;
    },
    missFirst() {
      missed = new Set();
    },
  };
}
