import { of } from 'rxjs';
import {
  encodeHeader,
  ledgerHash,
} from '../../src/embedded/standalone-ledger/codec/ledger-header.ts';
import type { LedgerTip } from '../../src/ledger/contract.ts';
import { LedgerUnavailable } from '../../src/ledger/ledger-unavailable.ts';
import type { ServerConnection } from '../../src/ledger/server-connection.ts';
import { ServerRefused } from '../../src/ledger/server-refused.ts';
import type { ServerStatus } from '../../src/ledger/server-status.ts';

/** A header with its own hash. Another `parent` gives another ledger of the same index and time. */
export interface StatedLedger extends LedgerTip {
  readonly data: string;
}

export function statedLedger(index: number, closeTime: number, parent = 'A'): StatedLedger {
  const header = {
    ...{ ledgerIndex: index, totalDrops: 100_000_000_000_000_000n, closeTime },
    ...{ parentHash: parent.repeat(64), transactionHash: '0'.repeat(64) },
    ...{ accountHash: 'B'.repeat(64), parentCloseTime: closeTime - 4 },
    ...{ closeTimeResolution: 10, closeFlags: 0 },
  };
  const data = encodeHeader(header).toString('hex').toUpperCase();
  return { index, hash: ledgerHash(header), closeTime, data };
}

/** Answer to a request for one ledger. */
export type StatedAnswer = StatedLedger | 'absent' | 'unanswered';

export interface StatedServer extends ServerConnection {
  /** The newest ledger that the server reports; null while it is not connected. */
  tip: LedgerTip | null;
  /** By default the server shows these ledgers, and does not have others. */
  answer: (index: number) => StatedAnswer;
  /** Number of requests for ledgers. */
  asked: number;
  /** Reasons for which the server was set aside. */
  readonly aside: string[];
}

/** A server without a connection, whose answers are stated. */
export function statedServer(
  reported: LedgerTip | null,
  shows: readonly StatedLedger[] = [],
  { standalone = false, silent = false } = {},
): StatedServer {
  const current = (): ServerStatus => {
    const { tip } = server;
    if (tip === null) return { state: 'lost', reason: 'cut off' };
    return {
      ...{
        state: 'ready',
        networkId: 1,
        connection: 1,
        standalone,
        unsupportedMajority: null,
        tip,
      },
      ...{ feesAt: tip.index, baseFeeDrops: 10, openLedgerFeeDrops: 10, queueFeeDrops: 10 },
      ...{ expectedLedgerSize: 100, reserve: null },
    };
  };
  const server: StatedServer = {
    ...{ name: 'wss://stated', tip: reported, asked: 0, aside: [] },
    answer: (index) => shows.find((ledger) => ledger.index === index) ?? 'absent',
    get status() {
      return of(current());
    },
    current,
    book: { submissionsWithin: () => 0, submissionsWaiting: () => 0, waitMs: () => 0 },
    async request<Result>(_command: string, fields: object = {}) {
      server.asked += 1;
      const answer = server.answer(Number(Object.entries(fields)[0]?.[1]));
      if (answer === 'unanswered') throw new LedgerUnavailable('no answer');
      if (answer === 'absent') throw new ServerRefused('lgrNotFound', {});
      return { ledger: { ledger_data: answer.data }, validated: true } as Result;
    },
    submit: () => Promise.reject(new LedgerUnavailable('no answer')),
    isSilent: () => silent,
    setAside: (reason) => server.aside.push(reason),
    close: async () => {},
  };
  return server;
}
