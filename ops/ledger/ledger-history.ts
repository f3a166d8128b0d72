import { setTimeout as delay } from 'node:timers/promises';
import { hexToBytes } from '@noble/hashes/utils.js';
import { OperatorError } from '../../src/errors/operator-error.ts';
import type { ValidatedLedger } from '../../src/ledger/contract.ts';
import { openServerSocket, type ServerSocket } from '../../src/ledger/server-socket.ts';
import { serverName } from '../../src/ledger/server-status.ts';
import { type BinaryLedgerAnswer, readValidatedLedger } from '../../src/ledger/validated-ledger.ts';
import { readHeader } from '../../src/verifier/evidence/ledger-header.ts';
import { headerBytes } from '../../src/verifier/evidence/limits.ts';

/**
 * Old ledgers from any server that has the history, checked by their hashes (upper-case hex). Both
 * resolve with null if every server answers, but none has the ledger. They reject if a server that
 * may have it gives no usable answer, after some attempts.
 */
export interface LedgerHistory {
  /** Upper-case hex. */
  header(index: number, hash: string): Promise<string | null>;
  /** With all its transactions. */
  ledger(index: number, hash: string): Promise<ValidatedLedger | null>;
  close(): void;
}

const isHeader = new RegExp(`^(?:[A-Fa-f0-9]{2}){${headerBytes}}$`);

/** Connects to servers when they are needed, and makes one request at a time. */
export function openLedgerHistory(
  urls: readonly string[],
  { timeoutMs = 10_000, attempts = 5, pauseMs = 500 } = {},
): LedgerHistory {
  const sockets = new Map<string, ServerSocket>();
  let order = [...urls];
  let isClosed = false;

  const socketTo = async (url: string): Promise<ServerSocket> => {
    const known = sockets.get(url);
    if (known !== undefined) return known;
    const forget = () => sockets.delete(url);
    const listeners = { onLedgerClosed: () => {}, onClosed: forget };
    const socket = openServerSocket(url, { timeoutMs }, listeners);
    sockets.set(url, socket);
    await socket.opened.catch((error) => {
      forget();
      throw error;
    });
    return socket;
  };

  /** Null if the server does not have the ledger. Rejects if its answer leaves that open. */
  const askOne = async <Found>(url: string, fields: object, read: (result: unknown) => Found) => {
    const socket = await socketTo(url);
    const { error, result } = await socket.ask('ledger', {
      api_version: 2,
      binary: true,
      ...fields,
    });
    if (error === 'lgrNotFound') return null;
    if (error !== undefined) throw new Error(error);
    return read(result);
  };

  const ask = async <Found>(
    index: number,
    fields: object,
    read: (result: unknown) => Found | null,
  ): Promise<Found | null> => {
    for (let attempt = 1; ; attempt += 1) {
      const troubles: string[] = [];
      for (const url of order) {
        try {
          const found = await askOne(url, { ledger_index: index, ...fields }, read);
          if (found === null) continue;
          // Ask this server first from now on.
          order = [url, ...order.filter((other) => other !== url)];
          return found;
        } catch (error) {
          const why = error instanceof Error ? error.message : String(error);
          troubles.push(`${serverName(url)}: ${why.slice(0, 200)}`);
        }
      }
      if (troubles.length === 0) return null;
      if (attempt === attempts || isClosed) {
        throw new OperatorError(`no usable answer about ledger ${index} (${troubles.join('; ')})`);
      }
      await delay(pauseMs * 2 ** (attempt - 1));
    }
  };

  return {
    header: (index, hash) =>
      ask(index, {}, (result) => {
        const { ledger } = (result ?? {}) as { ledger?: { ledger_data?: unknown } };
        const header = String(ledger?.ledger_data).toUpperCase();
        if (!isHeader.test(header)) throw new Error('its answer has no header');
        // Another header of this index is of another chain, or a lie. Another server may have it.
        return readHeader(hexToBytes(header)).hash.toUpperCase() === hash ? header : null;
      }),
    ledger: (index, hash) =>
      ask(index, { transactions: true, expand: true }, (result) => {
        const ledger = readValidatedLedger(result as BinaryLedgerAnswer);
        return ledger.hash === hash ? ledger : null;
      }),
    close() {
      isClosed = true;
      for (const socket of sockets.values()) socket.end();
      sockets.clear();
    },
  };
}
