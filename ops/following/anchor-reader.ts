import { hash } from 'node:crypto';
import type { HistoryPage, LedgerGateway } from '../../src/ledger/contract.ts';
import { sentBy } from '../../src/ledger/sent-by.ts';
import type { AskedLedger } from '../audit/outside/ask-ledgers.ts';
import { checkpointIn } from '../audit/outside/ledger-checkpoints.ts';
import type { OutsideCheckpoint } from '../audit/outside/outside-checkpoint.ts';
import type { LedgerCursor } from './follow-state.ts';
import type { LookLimit } from './look-limit.ts';

type Cursors = Readonly<Record<string, LedgerCursor>>;

/** Checkpoints of any log on the ledger, and the places up to which the accounts were read. */
export interface ReadAnchors {
  readonly anchors: readonly OutsideCheckpoint[];
  readonly cursors: Cursors;
  /** Servers that could not be used, with the reason. Their networks may not have been read. */
  readonly unreached: readonly string[];
}

interface AnchorReaderOptions {
  readonly asked: Pick<AskedLedger, 'networks'>;
  /** Addresses of the asked servers. */
  readonly servers: readonly string[];
  readonly accounts: readonly string[];
}

type Gateway = Pick<LedgerGateway, 'sent' | 'name' | 'current'>;

/** Ledgers of about a quarter of an hour, which are read again: a server may lag behind another. */
const overlap = 256;
/** Of a transaction, beside its blob: its metadata, and the text around both. */
const bytesAround = 1_000;

/**
 * Reads the checkpoints that the accounts have anchored on every network with a server. Reads only
 * ledgers after the cursors. The whole history is read without a cursor, for other servers than
 * before, and if the last known transaction is not found again.
 */
export function openAnchorReader({ asked, servers, accounts }: AnchorReaderOptions) {
  const asking = hash('sha256', servers.toSorted().join('\n'), 'hex').slice(0, 16);
  return async (cursors: Cursors, limit: LookLimit): Promise<ReadAnchors> => {
    const { gateways, unreached } = await limit.within(asked.networks());
    const anchors: OutsideCheckpoint[] = [];
    const after: Record<string, LedgerCursor> = { ...cursors };
    for (const gateway of gateways) {
      for (const account of accounts) {
        const key = `${gateway.name()} ${account} ${asking}`;
        const read = await readNew(gateway, account, cursors[key] ?? null, limit);
        anchors.push(...read.anchors);
        if (read.cursor !== null) after[key] = read.cursor;
      }
    }
    return { anchors, cursors: after, unreached };
  };
}

async function readNew(
  gateway: Gateway,
  account: string,
  cursor: LedgerCursor | null,
  limit: LookLimit,
): Promise<{ anchors: readonly OutsideCheckpoint[]; cursor: LedgerCursor | null }> {
  const now = gateway.current();
  const tip = now.connected ? now.tip.index : 0;
  if (cursor !== null) {
    const recent = await readHistory(gateway, account, limit, cursor.since);
    if (isContinued(recent, cursor)) {
      return { anchors: recent.anchors, cursor: cursorAfter(recent, tip) ?? cursor };
    }
  }
  const all = await readHistory(gateway, account, limit);
  // A later look may find a server that has the ledgers between.
  const hasGap = cursor !== null && all.searchedFrom > cursor.since;
  return { anchors: all.anchors, cursor: hasGap ? cursor : cursorAfter(all, tip) };
}

interface History {
  readonly anchors: readonly OutsideCheckpoint[];
  readonly hashes: ReadonlySet<string>;
  readonly newest: { readonly hash: string; readonly ledgerIndex: number } | null;
  readonly searchedFrom: number;
}

async function readHistory(
  gateway: Gateway,
  account: string,
  limit: LookLimit,
  since?: number,
): Promise<History> {
  const anchors: OutsideCheckpoint[] = [];
  const hashes = new Set<string>();
  let newest: History['newest'] = null;
  const limited: Pick<LedgerGateway, 'sent'> = {
    async sent(...given) {
      const page = await limit.within(gateway.sent(...given));
      limit.spend(bytesOf(page));
      return page;
    },
  };
  const history = sentBy(limited, account, since === undefined ? {} : { since });
  for (;;) {
    const { value, done } = await history.next();
    if (done) return { anchors, hashes, newest, searchedFrom: value.searchedFrom };
    newest ??= value;
    hashes.add(value.hash);
    const found = checkpointIn(value, `${account} on ${gateway.name()}`);
    if (found !== null) anchors.push(found);
  }
}

function isContinued({ hashes, searchedFrom }: History, { since, newest }: LedgerCursor): boolean {
  return hashes.has(newest) && searchedFrom <= since;
}

/** Null without a transaction to find again: then nothing was read. */
function cursorAfter({ newest, searchedFrom }: History, tip: number): LedgerCursor | null {
  if (newest === null) return null;
  const since = Math.max(searchedFrom, Math.min(newest.ledgerIndex, tip - overlap));
  return { newest: newest.hash, since };
}

function bytesOf({ transactions }: HistoryPage): number {
  return transactions.reduce((sum, { blob }) => sum + blob.length + bytesAround, bytesAround);
}
