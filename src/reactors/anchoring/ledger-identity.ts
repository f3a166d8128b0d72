import type { LedgerEvent } from '../../domain/ledger/events.ts';
import type { Network } from '../../domain/network.ts';
import { streams } from '../../domain/streams.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { StoredEvent } from '../../event-store/stored-event.ts';
import { VersionConflict } from '../../event-store/version-conflict.ts';
import type { LedgerGateway, LedgerTip } from '../../ledger/contract.ts';
import { LedgerUnavailable } from '../../ledger/ledger-unavailable.ts';

/** The ledger that a network's events speak of, with the newest ledger of it that we know. */
export interface KnownLedger {
  readonly ledgerId: string;
  readonly tip: LedgerTip;
}

/** The server shows another ledger than the one we anchor on: the network was reset, or it is wrong. */
export class OtherLedger extends Error {
  constructor(known: KnownLedger, seen: LedgerTip, why: string) {
    super(
      `ledger ${known.ledgerId} was known up to index ${known.tip.index}, but the server at ` +
        `index ${seen.index} shows another one: ${why}; anchoring pauses until \`ops ledger settle\` declares the known one gone`,
    );
    this.name = 'OtherLedger';
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
    const { ledgerId, index, hash } = event.data;
    return { ledgerId, tip: { index, hash } };
  }
  if (event.type === 'LedgerGone') return known?.ledgerId === event.data.ledgerId ? null : known;
  if (event.type === 'Anchored' && event.data.ledgerId === known?.ledgerId) {
    const { ledgerIndex: index, ledgerHash: hash } = event.data;
    return index > known.tip.index ? { ...known, tip: { index, hash } } : known;
  }
  return known;
}

/** A server may be behind the one used before it; waiting for it to catch up is always safe. */
const maxLagLedgers = 20;

/**
 * Compares every connected server with what we know. A much lower index, or another hash at the known index, is
 * another ledger: throws `OtherLedger`. False while the server is only a little behind: then it
 * must not be used yet. Where no server shows the known index nothing can be compared: a ledger that
 * may be reset is not believed to be the same then, and it rejects with `LedgerUnavailable`.
 */
export async function confirmLedger(
  gateway: Pick<LedgerGateway, 'ledgers' | 'network'>,
  known: KnownLedger,
  tip: LedgerTip,
): Promise<boolean> {
  const lag = known.tip.index - tip.index;
  if (lag > maxLagLedgers) throw new OtherLedger(known, tip, 'its index is lower');
  if (lag > 0) return false;
  const shown = await gateway.ledgers(known.tip.index);
  if (shown.some((ledger) => ledger !== null && ledger.hash !== known.tip.hash)) {
    throw new OtherLedger(known, tip, `the hash at index ${known.tip.index} differs`);
  }
  if (gateway.network !== 'mainnet' && shown.every((ledger) => ledger === null)) {
    throw new LedgerUnavailable(
      `no server shows ledger ${known.tip.index}, by which ${known.ledgerId} would be known again`,
    );
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
    data: { ledgerId, network, networkId, standalone, index: tip.index, hash: tip.hash },
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
