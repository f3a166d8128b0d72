import type {
  AttestationEvent,
  ListReference,
  ValidatorListPublished,
} from '../domain/attestation/events.ts';
import type { Network } from '../domain/network.ts';
import { streams } from '../domain/streams.ts';
import type { EventStore } from '../event-store/event-store.ts';

/**
 * The record of how a ledger is attested: by validations, or by a link to a later ledger. Null if
 * it is not attested, or if another ledger of this index is.
 */
export async function loadAttestation(
  store: Pick<EventStore, 'readLast'>,
  ledger: {
    readonly ledgerId: string;
    readonly ledgerIndex: number;
    /** Upper-case hex. */
    readonly ledgerHash: string;
  },
): Promise<AttestationEvent | null> {
  const recorded = await store.readLast(streams.attestation(ledger.ledgerId, ledger.ledgerIndex));
  return recorded?.data.ledgerHash === ledger.ledgerHash ? recorded : null;
}

/** A published list on record. */
export type RecordedList = ValidatorListPublished['data'];

/** The lists of a network on record: those named first in their order, then the newest first. */
export async function loadValidatorLists(
  store: Pick<EventStore, 'readStream'>,
  network: Network,
  first: readonly ListReference[],
): Promise<readonly RecordedList[]> {
  const events = await store.readStream(streams.validators(network));
  const lists = events
    .flatMap(({ type, data }) => (type === 'ValidatorListPublished' ? [data] : []))
    .reverse();
  const named = first.flatMap(({ publisherKey, sequence }) =>
    lists.filter((list) => list.publisherKey === publisherKey && list.sequence === sequence),
  );
  return [...named, ...lists.filter((list) => !named.includes(list))];
}
