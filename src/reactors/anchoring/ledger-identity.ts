import type { LedgerEvent } from '../../domain/ledger/events.ts';
import type { Network } from '../../domain/network.ts';
import { streams } from '../../domain/streams.ts';
import { OperatorError } from '../../errors/operator-error.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { StoredEvent } from '../../event-store/stored-event.ts';
import { VersionConflict } from '../../event-store/version-conflict.ts';
import type { LedgerGateway, LedgerTip } from '../../ledger/contract.ts';

/** A validated ledger that we know; `closeTime` is null where it was not noted. */
export type KnownTip = Omit<LedgerTip, 'closeTime'> & { readonly closeTime: number | null };

/** The ledger that a network's events speak of, with the newest ledger of it that we know. */
export interface KnownLedger {
  readonly ledgerId: string;
  readonly tip: KnownTip;
}

/** The server shows another ledger than the one we anchor on: the network was reset, or it is wrong. */
export class OtherLedger extends OperatorError {
  constructor(known: KnownLedger, seen: LedgerTip, why: string) {
    super(
      `ledger ${known.ledgerId} was known up to index ${known.tip.index}, but a server at index ` +
        `${seen.index} shows another one: ${why}; correct the list of servers, or, if a test ` +
        'network was reset, declare the known ledger gone with `ops ledger settle`',
    );
  }
}

/** No server shows the ledger by which the known one would be told from another. */
export class UnrecognisedLedger extends OperatorError {
  constructor(known: KnownLedger) {
    super(
      `no server shows ledger ${known.tip.index}, by which ${known.ledgerId} would be known again: ` +
        'add a server with full history, or, if it is the same ledger, say so with ' +
        '`ops ledger settle --same`',
    );
  }
}

/**
 * Folds what the log says about a network's ledger. Of several who joined at once the first in the
 * log has named it; the others' events name nothing.
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
    const { index, hash, closeTime } = event.data;
    return index > known.tip.index ? { ...known, tip: { index, hash, closeTime } } : known;
  }
  if (event.type === 'LedgerGone') return known?.ledgerId === event.data.ledgerId ? null : known;
  if (event.type === 'Anchored' && event.data.ledgerId === known?.ledgerId) {
    const { ledgerIndex: index, ledgerHash: hash, closeTime } = event.data;
    return index > known.tip.index ? { ...known, tip: { index, hash, closeTime } } : known;
  }
  return known;
}

/**
 * Compares the connected servers with what we know. Another hash at the known index is another
 * ledger, and so is a lower index that closed later, since close times only grow along a chain:
 * throws `OtherLedger`. False while the newest is merely behind: it is waited for, however far.
 * Where no server shows the known index nothing can be compared: a ledger that may be reset is not
 * believed to be the same then, and it throws `UnrecognisedLedger`.
 */
export async function confirmLedger(
  gateway: Pick<LedgerGateway, 'ledgers' | 'network'>,
  known: KnownLedger,
  tip: LedgerTip,
): Promise<boolean> {
  if (tip.index < known.tip.index) {
    // States saved by earlier versions do not have it.
    const knownCloseTime = known.tip.closeTime ?? Number.POSITIVE_INFINITY;
    if (tip.closeTime <= knownCloseTime) return false;
    throw new OtherLedger(known, tip, 'its index is lower, though it closed later');
  }
  const shown = await gateway.ledgers(known.tip.index);
  if (shown.some((ledger) => ledger !== null && ledger.hash !== known.tip.hash)) {
    throw new OtherLedger(known, tip, `the hash at index ${known.tip.index} differs`);
  }
  if (gateway.network !== 'mainnet' && shown.every((ledger) => ledger === null)) {
    throw new UnrecognisedLedger(known);
  }
  return true;
}

/**
 * Records the first contact with a ledger. The id of a resettable network's ledger carries the hash
 * at which it was joined; mainnet is never reset and is known by its number alone. Whether this
 * join has named the ledger is known only when it is read back from the log.
 */
export async function joinLedger(
  store: EventStore,
  joined: {
    readonly network: Network;
    readonly networkId: number;
    readonly standalone: boolean;
    readonly tip: LedgerTip;
  },
): Promise<void> {
  const { network, networkId, standalone, tip } = joined;
  const ledgerId = network === 'mainnet' ? String(networkId) : `${networkId}-${tip.hash}`;
  const event: LedgerEvent = {
    type: 'LedgerJoined',
    data: { ledgerId, network, networkId, standalone, ...tip },
  };
  const stream = streams.ledger(ledgerId);
  const entry = { organisationId: null, stream, expectedVersion: 0, events: [event] };
  try {
    await store.append([entry], { actor: 'anchoring' });
  } catch (error) {
    // Somebody else joined at the same ledger.
    if (!(error instanceof VersionConflict)) throw error;
  }
}
