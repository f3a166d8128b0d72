import { BehaviorSubject, type Observable } from 'rxjs';
import type { LedgerTip } from './contract.ts';
import { LedgerUnavailable } from './ledger-unavailable.ts';
import { refusalOf, ServerBlocked, ServerBusy } from './server-refused.ts';
import { openServerSocket, type ReportedLedger, type ServerSocket } from './server-socket.ts';
import {
  amendmentBlocked,
  type FeeInfo,
  feesOf,
  foreignNetwork,
  isStandalone,
  type ServerInfo,
  type ServerStatus,
  serverName,
  unsupportedMajorityOf,
} from './server-status.ts';
import { createSubmissionPace, type SubmissionPace } from './submission-pace.ts';

/** A supervised connection: a dead or silent one is replaced, without limit of retries. */
export interface ServerConnection {
  /** Scheme and host of its URL; the other parts may hold credentials. */
  readonly name: string;
  readonly status: Observable<ServerStatus>;
  current(): ServerStatus;
  /** Pace of submissions to this server; kept across reconnects. */
  readonly pace: Pick<SubmissionPace, 'perSecond' | 'waitMs'>;
  /** Rejects with `ServerRefused`, or with `LedgerUnavailable` if no answer came. */
  request<Result>(command: string, fields?: object): Promise<Result>;
  /** Like `request`, at the server's pace: for commands in large numbers. */
  requestPaced<Result>(command: string, fields?: object): Promise<Result>;
  /** Drops the present connection; the next attempt follows after about a minute. */
  setAside(reason: string): void;
  close(): Promise<void>;
}

interface ServerOptions {
  readonly url: string;
  /** A server with another `network_id` is refused: an anchor on a wrong network is permanent. */
  readonly networkId: number;
  /** Time without a validated ledger after which the connection counts as dead. */
  readonly silenceMs?: number;
  readonly requestTimeoutMs?: number;
  /** Average time until the next attempt, for a server that is set aside. */
  readonly asideMs?: number;
  /** Opens one connection; by default a WebSocket. */
  readonly openSocket?: typeof openServerSocket;
  readonly onTrouble?: (server: string, reason: string) => void;
  /** Called on every attempt if the server is of another network, or does not state its network. */
  readonly onRefused?: (server: string, reason: string) => void;
}

const minBackoffMs = 100;
const maxBackoffMs = 5_000;
const backoffAfterRefusalMs = 2_000;
const steadyAfterMs = 10_000;
/** Close code of a server that drops a client for its load (RFC 6455 §7.4.1). */
const policyViolation = 1008;

/** Opens a supervised connection to one server; it connects in the background. */
export function superviseServer(options: ServerOptions): ServerConnection {
  const { url, networkId, silenceMs = 20_000, requestTimeoutMs = 10_000 } = options;
  const { asideMs = 60_000 } = options;
  const { onTrouble, onRefused, openSocket = openServerSocket } = options;
  const name = serverName(url);
  const pace = createSubmissionPace();
  const status = new BehaviorSubject<ServerStatus>({ state: 'connecting', reason: 'starting' });
  let link: Link | null = null;
  let abandoned = new AbortController();
  let connections = 0;
  let closed = false;
  let backoffMs = minBackoffMs;
  let retryTimer: NodeJS.Timeout | undefined;
  let silenceTimer: NodeJS.Timeout | undefined;
  let steadyTimer: NodeJS.Timeout | undefined;

  const drop = (dead: Link, next: Extract<ServerStatus, { reason: string }>) => {
    if (link !== dead) return;
    link = null;
    clearTimeout(silenceTimer);
    clearTimeout(steadyTimer);
    abandoned.abort();
    endLink(dead);
    status.next(next);
    if (next.state === 'refused') onRefused?.(name, next.reason);
    else onTrouble?.(name, next.reason);
    if (closed) return;
    retryTimer = setTimeout(connect, backoffMs * (0.75 + Math.random() / 2));
    backoffMs = Math.min(backoffMs * 2, maxBackoffMs);
  };
  const lost = (dead: Link, reason: string) => drop(dead, { state: 'lost', reason });
  /** A blocked server stays so until its operator upgrades it. */
  const blocked = (dead: Link | null) => {
    if (dead === null || link !== dead) return;
    backoffMs = asideMs;
    drop(dead, { state: 'lost', reason: amendmentBlocked, amendmentBlocked: true });
  };

  const ask = async <Result>(asked: ServerSocket, command: string, fields: object = {}) => {
    const present = link;
    const answer = await asked.ask(command, { api_version: 2, ...fields }).catch((cause) => {
      throw new LedgerUnavailable(`${name} does not answer ${command}`, { cause });
    });
    if (answer.warning === 'load') pace.slowDown('warned');
    const refused = refusalOf(answer);
    if (refused instanceof ServerBusy) pace.slowDown('refused');
    if (refused instanceof ServerBlocked) blocked(present);
    if (refused) throw refused;
    return answer.result as Result;
  };

  const connected = (): Link => {
    if (link !== null && status.value.state === 'ready') return link;
    throw new LedgerUnavailable(`${name} is not connected`);
  };

  const restartSilenceTimer = (from: Link) => {
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(() => lost(from, `no ledger for ${silenceMs} ms`), silenceMs);
  };

  /** Publishes a new validated ledger at once, fees and warnings when they are known. */
  const advance = async (from: Link, tip: LedgerTip) => {
    const before = status.value;
    if (before.state !== 'ready' || tip.index <= before.tip.index) return;
    status.next({ ...before, tip });
    const [serverInfo, fee] = await Promise.all([
      ask<ServerInfo>(from.reading, 'server_info'),
      ask<FeeInfo>(from.reading, 'fee'),
    ]);
    if (serverInfo.info.amendment_blocked) blocked(from);
    const present = status.value;
    if (link !== from || present.state !== 'ready') return;
    const unsupportedMajority = unsupportedMajorityOf(serverInfo);
    status.next({ ...present, ...feesOf(serverInfo, fee), unsupportedMajority });
  };

  const open = async (next: Link) => {
    const { reading, submitting } = next;
    await Promise.all([reading.opened, submitting.opened]);
    // Behind one name there may be several servers.
    const [serverInfo, submittingInfo] = await Promise.all([
      ask<ServerInfo>(reading, 'server_info'),
      ask<ServerInfo>(submitting, 'server_info'),
    ]);
    const reason =
      foreignNetwork(serverInfo, networkId) ?? foreignNetwork(submittingInfo, networkId);
    if (reason !== null) {
      drop(next, { state: 'refused', reason });
      return;
    }
    if (serverInfo.info.amendment_blocked) {
      blocked(next);
      return;
    }
    const fee = await ask<FeeInfo>(reading, 'fee');
    const tip = await ask<Partial<ReportedLedger>>(reading, 'subscribe', { streams: ['ledger'] });
    if (!hasLedger(tip)) {
      throw new LedgerUnavailable(`${name} has no validated ledger yet`);
    }
    if (link !== next) return;
    // A server that keeps disconnecting gets a longer backoff each time.
    steadyTimer = setTimeout(() => {
      backoffMs = minBackoffMs;
    }, steadyAfterMs);
    restartSilenceTimer(next);
    connections += 1;
    status.next({
      state: 'ready',
      networkId,
      connection: connections,
      standalone: isStandalone(serverInfo),
      unsupportedMajority: unsupportedMajorityOf(serverInfo),
      tip: { index: tip.ledger_index, hash: tip.ledger_hash, closeTime: tip.ledger_time },
      ...feesOf(serverInfo, fee),
    });
  };

  const connect = () => {
    const onClosed = (code: number) => {
      if (code === policyViolation && link === next) {
        pace.slowDown('refused');
        // The server's count of our load halves in about 20 s: an immediate retry would be dropped
        // again.
        backoffMs = Math.max(backoffMs, backoffAfterRefusalMs);
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
      advance(next, { index, hash, closeTime }).catch(() => {});
    };
    const limits = { timeoutMs: requestTimeoutMs };
    const next: Link = {
      reading: openSocket(url, limits, { onClosed, onLedgerClosed }),
      submitting: openSocket(url, limits, { onClosed, onLedgerClosed: () => {} }),
    };
    link = next;
    abandoned = new AbortController();
    open(next).catch((error) => lost(next, reasonOf(error)));
  };

  connect();
  return {
    name,
    status,
    current: () => status.value,
    pace,
    request: async (command, fields) => ask(connected().reading, command, fields),
    async requestPaced(command, fields) {
      const { submitting } = connected();
      await pace.turn(abandoned.signal);
      return ask(submitting, command, fields);
    },
    setAside(reason) {
      backoffMs = asideMs;
      if (link !== null) lost(link, reason);
    },
    async close() {
      closed = true;
      clearTimeout(retryTimer);
      clearTimeout(silenceTimer);
      clearTimeout(steadyTimer);
      const last = link;
      link = null;
      abandoned.abort();
      if (last !== null) endLink(last);
      status.next({ state: 'lost', reason: 'closed' });
      status.complete();
    },
  };
}

/**
 * The connections to one server, which end together. rippled answers the requests of a connection
 * one after the other: transactions would wait while it sends a whole ledger.
 */
interface Link {
  readonly reading: ServerSocket;
  /** For requests at the server's pace. */
  readonly submitting: ServerSocket;
}

function endLink({ reading, submitting }: Link): void {
  reading.end();
  submitting.end();
}

function hasLedger(reported: Partial<ReportedLedger>): reported is ReportedLedger {
  const { ledger_index: index, ledger_hash: hash, ledger_time: time } = reported;
  return index !== undefined && hash !== undefined && time !== undefined;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
