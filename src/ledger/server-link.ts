import type { ChargeBook } from './charge-book.ts';
import { requestCharged } from './charged-request.ts';
import { LedgerUnavailable } from './ledger-unavailable.ts';
import { ServerBlocked } from './server-refused.ts';
import {
  isReportedLedger,
  openServerSocket,
  type ReportedLedger,
  type ServerSocket,
} from './server-socket.ts';
import {
  type FeeInfo,
  feesOf,
  foreignNetwork,
  isStandalone,
  limitsOf,
  type ServerInfo,
  type ServerStatus,
  serverName,
  unsupportedMajorityOf,
} from './server-status.ts';

/** The connections to one server, for their life. They open and end together. */
export interface ServerLink {
  /**
   * Resolves when the server can be used. Rejects with `ForeignServer`, `ServerBlocked` and
   * `LedgerUnavailable`.
   */
  readonly opened: Promise<OpenedServer>;
  /**
   * Asks when the charge book has room. Rejects with `ServerRefused`, or with `LedgerUnavailable` if
   * no answer came.
   */
  ask<Result>(command: string, fields?: object): Promise<Result>;
  /**
   * Like `ask`, for a transaction. Rejects with `Withdrawn` if `isWanted` returns false when the charge
   * book has room.
   */
  submit<Result>(fields: object, isWanted?: () => boolean): Promise<Result>;
  /** Fees and warnings of the server now. Rejects like `ask`. */
  readState(): Promise<ServerState>;
  /** Ends the connections. Requests without an answer reject, and no listener is called any more. */
  end(): void;
}

type Ready = Extract<ServerStatus, { state: 'ready' }>;
/** A usable server, without the number of its connection. */
export type OpenedServer = Omit<Ready, 'state' | 'connection' | 'feesAt'>;
/** The part of a server's status that changes with each ledger. */
export type ServerState = Omit<OpenedServer, 'networkId' | 'standalone' | 'tip'>;

/** The server is of another network, or does not state its network. */
export class ForeignServer extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'ForeignServer';
  }
}

export interface LinkOptions {
  readonly url: string;
  /** A server with another `network_id` is refused: an anchor on a wrong network is permanent. */
  readonly networkId: number;
  readonly requestTimeoutMs: number;
  /** Account of our load on this server; kept across links. */
  readonly book: ChargeBook;
  /** Opens one connection; by default a WebSocket. */
  readonly openSocket?: typeof openServerSocket | undefined;
}

interface LinkListeners {
  /** Called with each validated ledger, once the link is open. */
  readonly onLedgerClosed: (ledger: ReportedLedger) => void;
  /** Called once if an opened connection ends by itself, with the close code. */
  readonly onClosed: (code: number) => void;
  /** Called if the server says that it is amendment blocked. */
  readonly onBlocked: () => void;
}

/**
 * Connects to a server. rippled answers the requests of a connection one after the other, so
 * transactions have a connection of their own: they would wait while it sends a whole ledger.
 */
export function openServerLink(options: LinkOptions, listeners: LinkListeners): ServerLink {
  const { url, networkId, requestTimeoutMs, book, openSocket = openServerSocket } = options;
  const { onLedgerClosed, onClosed, onBlocked } = listeners;
  const name = serverName(url);
  const limits = { timeoutMs: requestTimeoutMs };
  const reading = openSocket(url, limits, { onClosed, onLedgerClosed });
  const submitting = openSocket(url, limits, { onClosed, onLedgerClosed: () => {} });
  const abandoned = new AbortController();
  const { signal } = abandoned;

  const askOn = async <Result>(
    socket: ServerSocket,
    command: string,
    fields?: object,
    isWanted?: () => boolean,
  ) => {
    try {
      const by = { name, book, abandoned: signal, isWanted };
      return await requestCharged<Result>(socket, { command, fields }, by);
    } catch (error) {
      if (error instanceof ServerBlocked && !signal.aborted) onBlocked();
      throw error;
    }
  };
  const ask = <Result>(command: string, fields?: object) => askOn<Result>(reading, command, fields);

  const open = async (): Promise<OpenedServer> => {
    await Promise.all([reading.opened, submitting.opened]);
    // Behind one name there may be several servers.
    const [serverInfo, submittingInfo] = await Promise.all([
      ask<ServerInfo>('server_info'),
      askOn<ServerInfo>(submitting, 'server_info'),
    ]);
    const foreign =
      foreignNetwork(serverInfo, networkId) ?? foreignNetwork(submittingInfo, networkId);
    if (foreign !== null) throw new ForeignServer(foreign);
    if (serverInfo.info.amendment_blocked) throw new ServerBlocked('amendment_blocked');
    book.open(limitsOf(serverInfo));
    const fee = await ask<FeeInfo>('fee');
    const tip = await ask<Partial<ReportedLedger>>('subscribe', { streams: ['ledger'] });
    if (!isReportedLedger(tip)) throw new LedgerUnavailable(`${name} has no validated ledger yet`);
    return {
      networkId,
      standalone: isStandalone(serverInfo),
      unsupportedMajority: unsupportedMajorityOf(serverInfo),
      tip: { index: tip.ledger_index, hash: tip.ledger_hash, closeTime: tip.ledger_time },
      ...feesOf(serverInfo, fee),
    };
  };

  return {
    opened: open(),
    ask,
    submit: (fields, isWanted) => askOn(submitting, 'submit', fields, isWanted),
    async readState() {
      const [serverInfo, fee] = await Promise.all([
        ask<ServerInfo>('server_info'),
        ask<FeeInfo>('fee'),
      ]);
      if (serverInfo.info.amendment_blocked) onBlocked();
      return {
        unsupportedMajority: unsupportedMajorityOf(serverInfo),
        ...feesOf(serverInfo, fee),
      };
    },
    end() {
      abandoned.abort();
      reading.end();
      submitting.end();
    },
  };
}
