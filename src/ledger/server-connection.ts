import { BehaviorSubject, type Observable } from 'rxjs';
import { type ChargeBook, createChargeBook } from './charge-book.ts';
import { backoffAfterDropMs, policyViolation } from './charged-request.ts';
import type { LedgerTip } from './contract.ts';
import { LedgerUnavailable, Unanswered, Withdrawn } from './ledger-unavailable.ts';
import { ForeignServer, type LinkOptions, openServerLink, type ServerLink } from './server-link.ts';
import { ServerBlocked } from './server-refused.ts';
import type { ReportedLedger } from './server-socket.ts';
import {
  amendmentBlocked,
  type ServerStatus,
  serverName,
  UnreadableFees,
} from './server-status.ts';
import { SilentCommands } from './silent-commands.ts';

/** A supervised connection: a dead or silent one is replaced, without limit of retries. */
export interface ServerConnection {
  /** Scheme and host of its URL; the other parts may hold credentials. */
  readonly name: string;
  readonly status: Observable<ServerStatus>;
  current(): ServerStatus;
  /** Account of our load on this server; kept across reconnects. */
  readonly book: Pick<ChargeBook, 'submissionsWithin' | 'submissionsWaiting' | 'waitMs'>;
  /** Rejects with `ServerRefused`, or with `LedgerUnavailable` if no answer came. */
  request<Result>(command: string, fields?: object): Promise<Result>;
  /** Like `request`, for a transaction. Rejects with `Withdrawn` if it is not wanted when it may go. */
  submit<Result>(fields: object, isWanted?: () => boolean): Promise<Result>;
  /** True if this connection had no answer to the last requests of the command. */
  isSilent(command: string): boolean;
  /** Drops the present connection; the next attempt follows after about a minute. */
  setAside(reason: string): void;
  close(): Promise<void>;
}

interface ServerOptions extends Pick<LinkOptions, 'url' | 'networkId' | 'openSocket'> {
  /** Time without a validated ledger after which the connection counts as dead. */
  readonly silenceMs?: number;
  readonly requestTimeoutMs?: number;
  /** Account of our load on this server, shared with other connections to it; default a new one. */
  readonly book?: ChargeBook;
  /** Average time until the next attempt, for a server that is set aside. */
  readonly asideMs?: number;
  readonly onTrouble?: (server: string, reason: string) => void;
  /** Called on every attempt if the server is of another network, or does not state its network. */
  readonly onRefused?: (server: string, reason: string) => void;
}

const minBackoffMs = 100;
const maxBackoffMs = 5_000;
const steadyAfterMs = 10_000;
/**
 * Number of submissions in a row without an answer after which the connection counts as dead. Ledgers
 * arrive on another connection, perhaps from another server behind the same name.
 */
const maxUnanswered = 2;

/** Opens a supervised connection to one server; it connects in the background. */
export function superviseServer(options: ServerOptions): ServerConnection {
  const { url, networkId, silenceMs = 20_000, requestTimeoutMs = 10_000, openSocket } = options;
  const { asideMs = 60_000, onTrouble, onRefused, book = createChargeBook() } = options;
  const name = serverName(url);
  let silentCommands = new SilentCommands();
  const status = new BehaviorSubject<ServerStatus>({ state: 'connecting', reason: 'starting' });
  let link: ServerLink | null = null;
  let connections = 0;
  let unanswered = 0;
  let closed = false;
  let backoffMs = minBackoffMs;
  let retryTimer: NodeJS.Timeout | undefined;
  let silenceTimer: NodeJS.Timeout | undefined;
  let steadyTimer: NodeJS.Timeout | undefined;

  const drop = (dead: ServerLink, next: Extract<ServerStatus, { reason: string }>) => {
    if (link !== dead) return;
    link = null;
    clearTimeout(silenceTimer);
    clearTimeout(steadyTimer);
    dead.end();
    status.next(next);
    if (next.state === 'refused') onRefused?.(name, next.reason);
    else onTrouble?.(name, next.reason);
    if (closed) return;
    retryTimer = setTimeout(connect, backoffMs * (0.75 + Math.random() / 2));
    backoffMs = Math.min(backoffMs * 2, maxBackoffMs);
  };
  const lost = (dead: ServerLink, reason: string) => drop(dead, { state: 'lost', reason });
  /** A blocked server stays so until its operator upgrades it. */
  const blocked = (dead: ServerLink) => {
    if (link !== dead) return;
    backoffMs = asideMs;
    drop(dead, { state: 'lost', reason: amendmentBlocked, amendmentBlocked: true });
  };
  const failed = (dead: ServerLink, error: unknown) => {
    if (error instanceof ForeignServer) drop(dead, { state: 'refused', reason: error.message });
    else if (error instanceof ServerBlocked) blocked(dead);
    else lost(dead, error instanceof Error ? error.message : String(error));
  };

  const restartSilenceTimer = (from: ServerLink) => {
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(() => lost(from, `no ledger for ${silenceMs} ms`), silenceMs);
  };

  /** Publishes a new validated ledger at once, fees and warnings when they are known. */
  const advance = async (from: ServerLink, tip: LedgerTip) => {
    const before = status.value;
    if (before.state !== 'ready' || tip.index <= before.tip.index) return;
    status.next({ ...before, tip });
    const state = await from.readState();
    const present = status.value;
    if (link !== from || present.state !== 'ready') return;
    status.next({ ...present, ...state, feesAt: tip.index });
  };

  const use = async (next: ServerLink) => {
    const opened = await next.opened;
    if (link !== next) return;
    // A server that keeps disconnecting gets a longer backoff each time.
    steadyTimer = setTimeout(() => {
      backoffMs = minBackoffMs;
    }, steadyAfterMs);
    restartSilenceTimer(next);
    connections += 1;
    unanswered = 0;
    silentCommands = new SilentCommands();
    const feesAt = opened.tip.index;
    status.next({ state: 'ready', connection: connections, feesAt, ...opened });
  };

  const connect = () => {
    const onClosed = (code: number) => {
      if (code === policyViolation && link === next) {
        book.refused('dropped');
        backoffMs = Math.max(backoffMs, backoffAfterDropMs);
      }
      lost(next, `connection closed with code ${code}`);
    };
    const onLedgerClosed = (reported: ReportedLedger) => {
      const { ledger_index: index, ledger_hash: hash, ledger_time: closeTime } = reported;
      const present = status.value;
      if (present.state === 'ready' && index <= present.tip.index && hash !== present.tip.hash) {
        // The server's newest ledger is older or different: reconnect, so that users of the status
        // check it again.
        lost(next, `validated ledger ${index} after ${present.tip.index}`);
        return;
      }
      restartSilenceTimer(next);
      advance(next, { index, hash, closeTime }).catch((error: unknown) => {
        if (error instanceof UnreadableFees) lost(next, error.message);
      });
    };
    const next: ServerLink = openServerLink(
      { url, networkId, requestTimeoutMs, book, openSocket },
      { onClosed, onLedgerClosed, onBlocked: () => blocked(next) },
    );
    link = next;
    use(next).catch((error) => failed(next, error));
  };

  const connected = (): ServerLink => {
    if (link !== null && status.value.state === 'ready') return link;
    throw new LedgerUnavailable(`${name} is not connected`);
  };

  const request = async <Result>(command: string, fields?: object): Promise<Result> => {
    const by = connected();
    const asked = silentCommands.asked(command);
    try {
      const result = await by.ask<Result>(command, fields);
      asked.answered();
      return result;
    } catch (error) {
      // A connection that ends leaves requests unanswered too.
      if (!(error instanceof LedgerUnavailable)) asked.answered();
      else if (error instanceof Unanswered && link === by) asked.unanswered();
      throw error;
    }
  };

  const submit = async <Result>(fields: object, isWanted?: () => boolean): Promise<Result> => {
    const by = connected();
    try {
      const result = await by.submit<Result>(fields, isWanted);
      unanswered = 0;
      return result;
    } catch (error) {
      if (error instanceof Withdrawn) throw error;
      unanswered = error instanceof Unanswered ? unanswered + 1 : 0;
      if (unanswered >= maxUnanswered) lost(by, 'submissions are not answered');
      throw error;
    }
  };

  connect();
  return {
    name,
    status,
    current: () => status.value,
    book,
    request,
    submit,
    isSilent: (command) => silentCommands.has(command),
    setAside(reason) {
      backoffMs = asideMs;
      if (link !== null) lost(link, reason);
    },
    async close() {
      closed = true;
      clearTimeout(retryTimer);
      clearTimeout(silenceTimer);
      clearTimeout(steadyTimer);
      link?.end();
      link = null;
      status.next({ state: 'lost', reason: 'closed' });
      status.complete();
    },
  };
}
