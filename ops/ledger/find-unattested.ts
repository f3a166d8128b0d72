import type { Network } from '../../src/domain/network.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import type { AttestedLedger } from '../../src/reactors/attesting/attesting-fold.ts';

const types = [
  ...['Anchored', 'CheckpointAnchored', 'LedgerAttested', 'LedgerLinked'],
  ...['LedgerJoined', 'LedgerGone'],
];
const pageEvents = 2_000;

/** Ledgers of one chain in which we have transactions. */
export interface LedgersOfChain {
  readonly ledgerId: string;
  readonly network: Network;
  /** Positions of the events that record our transactions, by ledger index; unattested ones only. */
  readonly unattested: ReadonlyMap<number, readonly number[]>;
  /** By ledger index. */
  readonly attested: ReadonlyMap<number, AttestedLedger>;
}

interface Found {
  network: Network | null;
  isGone: boolean;
  readonly anchored: Map<number, number[]>;
  readonly attested: Map<number, AttestedLedger>;
}

/**
 * Reads the whole log, and finds the ledgers with transactions of ours that are not attested. Leaves
 * out chains that are gone. Needs about 100 bytes of memory for each ledger.
 */
export async function findUnattested(
  store: Pick<EventStore, 'readPage' | 'head'>,
  onPosition: (position: number, head: number) => void,
): Promise<readonly LedgersOfChain[]> {
  const chains = new Map<string, Found>();
  const head = await store.head();
  for (let after = 0; after < head; ) {
    const { events, position } = await store.readPage(after, pageEvents, types, head);
    for (const event of events) observe(event, chains);
    after = position;
    onPosition(position, head);
  }
  return [...chains].flatMap(([ledgerId, { network, isGone, anchored, attested }]) => {
    if (isGone || network === null) return [];
    for (const index of attested.keys()) anchored.delete(index);
    return [{ ledgerId, network, unattested: anchored, attested }];
  });
}

function observe({ type, data, position }: StoredEvent, chains: Map<string, Found>): void {
  if (!('ledgerId' in data) || typeof data.ledgerId !== 'string') return;
  const { ledgerId } = data;
  const chain = chains.get(ledgerId) ?? {
    network: null,
    isGone: false,
    anchored: new Map(),
    attested: new Map(),
  };
  chains.set(ledgerId, chain);
  if (type === 'LedgerJoined') chain.network = data.network;
  else if (type === 'LedgerGone') chain.isGone = true;
  else if (type === 'Anchored' || type === 'CheckpointAnchored') {
    const { ledgerIndex } = data;
    const positions = chain.anchored.get(ledgerIndex);
    if (positions === undefined) chain.anchored.set(ledgerIndex, [position]);
    else positions.push(position);
  } else if (type === 'LedgerAttested' || type === 'LedgerLinked') {
    const { ledgerIndex, ledgerHash } = data;
    const attestedIndex = type === 'LedgerLinked' ? data.attestedIndex : ledgerIndex;
    chain.attested.set(ledgerIndex, { ledgerId, ledgerIndex, ledgerHash, attestedIndex });
  }
}
