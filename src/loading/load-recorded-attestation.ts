import type {
  AttestationEvent,
  LedgerAttested,
  LedgerLinked,
} from '../domain/attestation/events.ts';
import { isProvable } from '../domain/attestation/is-provable.ts';
import type { RecordedAttestation } from '../domain/attestation/recorded-attestation.ts';
import type { CompletedProof } from '../domain/proof/state.ts';
import { streams } from '../domain/streams.ts';
import type { EventStore, StreamsRead } from '../event-store/event-store.ts';
import { loadAttestation, loadValidatorLists } from './load-attestation.ts';

/**
 * Loads the recorded signatures of validators for the ledger of a proof, and the headers up to the
 * signed ledger, with one query for each page of linked ledgers. Null if there are none on record, or
 * if the chain of headers is longer than a bundle may have. `onHeaders` is called with the number of
 * headers before they are read. If it rejects, they are not read.
 */
export async function loadRecordedAttestation(
  store: Pick<EventStore, 'readLast' | 'readStream' | 'readStreams'>,
  { request: { network }, anchor }: Pick<CompletedProof, 'request' | 'anchor'>,
  onHeaders: (count: number) => Promise<void> = async () => {},
): Promise<RecordedAttestation | null> {
  const own = await loadAttestation(store, anchor);
  if (own === null || !isProvable(own)) return null;
  if (own.type === 'LedgerLinked') await onHeaders(own.data.attestedIndex - own.data.ledgerIndex);
  const linked = await followLinks(store, own);
  if (linked === null) return null;
  const { attested, chain } = linked;
  const recorded = await loadValidatorLists(store, network, attested.validatorLists);
  const lists = recorded.filter((list) =>
    attested.validatorLists.some(
      ({ publisherKey, sequence }) =>
        list.publisherKey === publisherKey && list.sequence === sequence,
    ),
  );
  return { leaves: own.data.leaves, chain, attested, lists };
}

async function followLinks(
  store: Pick<EventStore, 'readStreams'>,
  own: AttestationEvent,
): Promise<{ readonly attested: LedgerAttested['data']; readonly chain: string } | null> {
  const links: string[] = [];
  let event = own;
  let page: Page = new Map();
  while (event.type === 'LedgerLinked') {
    const { ledgerId, next } = event.data;
    links.push(event.data.links);
    const stream = streams.attestation(ledgerId, next.ledgerIndex);
    if (!page.has(stream)) page = await readFrom(store, event.data);
    const following = page.get(stream)?.at(-1);
    if (following?.data.ledgerHash !== next.ledgerHash) return null;
    event = following;
  }
  return { attested: event.data, chain: joinBase64(links) };
}

/** Streams of the ledgers after a linked one, of a page at most. */
async function readFrom(
  store: Pick<EventStore, 'readStreams'>,
  { ledgerId, next: { ledgerIndex }, attestedIndex }: LedgerLinked['data'],
): Promise<Page> {
  const length = Math.min(pageLedgers, attestedIndex - ledgerIndex + 1);
  return store.readStreams(
    Array.from({ length }, (_, nth) => streams.attestation(ledgerId, ledgerIndex + nth)),
  );
}

type Page = StreamsRead<AttestationEvent>;

/** An event has about 60 kB if its ledger has 700 transactions. */
const pageLedgers = 128;

function joinBase64(parts: readonly string[]): string {
  return Buffer.concat(parts.map((part) => Buffer.from(part, 'base64'))).toString('base64');
}
