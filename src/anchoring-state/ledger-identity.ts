import type { Network } from '../domain/network.ts';
import { OperatorError } from '../errors/operator-error.ts';
import type { StoredEvent } from '../event-store/stored-event.ts';
import type { LedgerGateway, LedgerTip } from '../ledger/contract.ts';

/** A known validated ledger; `closeTime` is null if it was not recorded. */
type KnownTip = Omit<LedgerTip, 'closeTime'> & { readonly closeTime: number | null };

/** The ledger of a network's events, with the newest validated ledger that we know of it. */
export interface KnownLedger {
  readonly ledgerId: string;
  readonly tip: KnownTip;
}

/**
 * These servers, named without credentials, show another ledger than the known one: the network was
 * reset, or the servers are wrong.
 */
export class OtherLedger extends OperatorError {
  constructor({ ledgerId, tip }: KnownLedger, servers: readonly string[], why: string) {
    super(
      `ledger ${ledgerId} was known up to index ${tip.index}, but another one is shown by ` +
        `${[...new Set(servers)].join(', ')}: ${why}; correct the list of servers, or, if a test ` +
        'network was reset, declare the known ledger gone with `ops ledger settle`',
    );
  }
}

/** No server shows the known ledger index, which would identify the ledger. */
export class UnrecognisedLedger extends OperatorError {
  constructor(known: KnownLedger) {
    super(
      `no server shows ledger ${known.tip.index}, by which ${known.ledgerId} is recognised: ` +
        'add a server with full history, or, if it is the same ledger, confirm it with ' +
        '`ops ledger settle --same`',
    );
  }
}

/**
 * Folds the log's events about a network's ledger. If several processes joined at once, the first
 * event in the log names the ledger; the others have no effect.
 */
export function evolveKnownLedger(
  known: KnownLedger | null,
  event: StoredEvent,
  network: Network,
): KnownLedger | null {
  if (event.type === 'LedgerJoined' && event.data.network === network && known === null) {
    const { ledgerId, index, hash, closeTime } = event.data;
    return { ledgerId, tip: { index, hash, closeTime } };
  }
  if (event.type === 'LedgerRecognised' && event.data.ledgerId === known?.ledgerId) {
    // A lower index counts too: the known ledger may never have existed.
    const { index, hash, closeTime } = event.data;
    return { ...known, tip: { index, hash, closeTime } };
  }
  if (event.type === 'LedgerGone') return known?.ledgerId === event.data.ledgerId ? null : known;
  if (event.type === 'Anchored' && event.data.ledgerId === known?.ledgerId) {
    const { ledgerIndex: index, ledgerHash: hash, closeTime } = event.data;
    return index > known.tip.index ? { ...known, tip: { index, hash, closeTime } } : known;
  }
  return known;
}

/**
 * Compares the connected servers with the known ledger. Throws `OtherLedger` if the hash at the
 * known index differs, or if a lower index closed later: close times only grow along a chain. For
 * that a server must show the lower ledger: it may report any time, and invent a header too. Mainnet
 * is never reset, so there a lower index proves nothing.
 * Resolves with false while the newest server is merely behind.
 *
 * Throws `UnrecognisedLedger` if no server shows the known index: nothing can be compared then, and
 * the network may have been reset. Mainnet is never reset, so it is accepted without comparison.
 */
export async function confirmLedger(
  gateway: Pick<LedgerGateway, 'ledgers' | 'network' | 'servers' | 'shown'>,
  known: KnownLedger,
  tip: LedgerTip,
): Promise<boolean> {
  if (tip.index < known.tip.index) {
    // States that earlier versions saved have no close time.
    const knownCloseTime = known.tip.closeTime ?? Number.POSITIVE_INFINITY;
    if (gateway.network === 'mainnet' || tip.closeTime <= knownCloseTime) return false;
    const shown = await gateway.shown(tip);
    if (shown === null || shown.closeTime <= knownCloseTime) return false;
    const servers = serversBefore(gateway, known.tip.index, knownCloseTime);
    throw new OtherLedger(known, servers, `ledger ${tip.index} of it has a later close time`);
  }
  const shown = await gateway.ledgers(known.tip.index);
  const others = shown.filter(({ ledger }) => ledger !== null && ledger.hash !== known.tip.hash);
  if (others.length > 0) {
    const servers = others.map(({ server }) => server);
    throw new OtherLedger(known, servers, `the hash at index ${known.tip.index} differs`);
  }
  if (gateway.network !== 'mainnet' && shown.every(({ ledger }) => ledger === null)) {
    throw new UnrecognisedLedger(known);
  }
  return true;
}

/** The servers that report a ledger below this index that closed later than this time. */
function serversBefore(
  gateway: Pick<LedgerGateway, 'network' | 'servers'>,
  index: number,
  closeTime: number,
): readonly string[] {
  const names = gateway
    .servers()
    .filter(({ tip }) => tip !== null && tip.index < index && tip.closeTime > closeTime)
    .map(({ name }) => name);
  // Their connections may have been lost since then.
  return names.length > 0 ? names : [`a server of ${gateway.network}`];
}
