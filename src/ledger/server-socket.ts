import type { Socket } from 'node:net';
import { WebSocket } from 'ws';

/** One connection to a ledger server, for its life. */
export interface ServerSocket {
  /** Resolves when requests can be made. Rejects if the server cannot be reached in time. */
  readonly opened: Promise<void>;
  /**
   * Resolves with the answer of the server, also if that is an error. Rejects if no answer came in
   * time, or the connection ended before.
   */
  ask(command: string, fields?: object): Promise<ServerAnswer>;
  /** Ends the connection. Requests without an answer reject, and no listener is called any more. */
  end(): void;
}

/** Answer of a server as it was sent. */
export interface ServerAnswer {
  readonly status?: string;
  readonly result?: unknown;
  /** Code of an error answer. */
  readonly error?: string;
  readonly error_message?: string;
  /** `load` if the server complains about our load. */
  readonly warning?: string;
}

export interface SocketListeners {
  /** Called with each validated ledger, after `subscribe`. */
  readonly onLedgerClosed: (ledger: ReportedLedger) => void;
  /** Called with every other message of a subscription. */
  readonly onMessage?: (message: Readonly<Record<string, unknown>>) => void;
  /** Called once if an opened connection ends by itself, with the close code. */
  readonly onClosed: (code: number) => void;
}

/** The newest validated ledger, in the answer to `subscribe` and in its stream. */
export interface ReportedLedger {
  readonly ledger_index: number;
  readonly ledger_hash: string;
  readonly ledger_time: number;
}

interface Asked {
  readonly resolve: (answer: ServerAnswer) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** Maximum time for a server to answer the closing of a connection. */
const closingMs = 1_000;

/**
 * Connects to a server. Messages are not compressed: rippled would compress each of them, which
 * takes more time on both sides than everything else that happens to a transaction.
 */
export function openServerSocket(
  url: string,
  { timeoutMs }: { readonly timeoutMs: number },
  { onLedgerClosed, onMessage, onClosed }: SocketListeners,
): ServerSocket {
  const socket = new WebSocket(url, { perMessageDeflate: false, handshakeTimeout: timeoutMs });
  const asked = new Map<number, Asked>();
  let lastId = 0;

  const rejectAll = (error: Error) => {
    for (const { reject, timer } of asked.values()) {
      clearTimeout(timer);
      reject(error);
    }
    asked.clear();
  };

  const receive = (data: WebSocket.RawData) => {
    const message = parse(data);
    if (message === null) return;
    if (message.type === 'ledgerClosed') {
      if (isReportedLedger(message)) onLedgerClosed(message);
    } else if (message.type !== 'response') onMessage?.({ ...message });
    const { id } = message;
    if (message.type !== 'response' || typeof id !== 'number') return;
    const found = asked.get(id);
    if (found === undefined) return;
    asked.delete(id);
    clearTimeout(found.timer);
    found.resolve(message);
  };

  const opened = new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.on('error', reject);
    socket.once('close', (code) => reject(new Error(`connection closed with code ${code}`)));
  });
  opened.catch(() => {});
  const together = writeTogether(socket);
  socket.once('open', () => socket.once('close', onClosed));
  socket.once('close', () => rejectAll(new Error('the connection was closed')));
  socket.on('message', receive);

  return {
    opened,
    ask: (command, fields = {}) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        const id = lastId;
        const timer = setTimeout(() => {
          asked.delete(id);
          reject(new Error(`no answer to ${command} within ${timeoutMs} ms`));
        }, timeoutMs).unref();
        asked.set(id, { resolve, reject, timer });
        together();
        socket.send(JSON.stringify({ id, command, ...fields }), (error) => {
          if (!error || !asked.delete(id)) return;
          clearTimeout(timer);
          reject(error);
        });
      }),
    end() {
      socket.off('close', onClosed);
      socket.off('message', receive);
      rejectAll(new Error('the connection was closed'));
      if (socket.readyState === WebSocket.CLOSED) return;
      const ending = setTimeout(() => socket.terminate(), closingMs);
      socket.once('close', () => clearTimeout(ending));
      socket.close();
    },
  };
}

/**
 * Returns a function to call before sending: all messages until the next tick are then one system
 * call. A system call for each transaction costs more than the message. Answers that arrive together
 * cause their next requests before that tick.
 */
function writeTogether(socket: WebSocket): () => void {
  let connection: Socket | null = null;
  let isHeld = false;
  socket.once('upgrade', (response) => {
    connection = response.socket;
  });
  return () => {
    if (connection === null || isHeld) return;
    const held = connection;
    isHeld = true;
    held.cork();
    process.nextTick(() => {
      isHeld = false;
      held.uncork();
    });
  };
}

interface Message extends ServerAnswer {
  readonly type?: string;
  readonly id?: unknown;
}

/** Null for a message that is no JSON object. */
function parse(data: WebSocket.RawData): Message | null {
  try {
    const value: unknown = JSON.parse(String(data));
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}

/** True for a ledger as servers report it. A server may send anything. */
export function isReportedLedger(value: object): value is ReportedLedger {
  const reported: Partial<Record<keyof ReportedLedger, unknown>> = value;
  const { ledger_index: index, ledger_hash: hash, ledger_time: time } = reported;
  return Number.isInteger(index) && typeof hash === 'string' && Number.isInteger(time);
}
