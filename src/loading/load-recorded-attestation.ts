import type { AttestationEvent, LedgerAttested } from '../domain/attestation/events.ts';
import { isProvable } from '../domain/attestation/is-provable.ts';
import type { RecordedAttestation } from '../domain/attestation/recorded-attestation.ts';
import type { CompletedProof } from '../domain/proof/state.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { loadAttestation, loadValidatorLists } from './load-attestation.ts';

/**
 * Loads the recorded signatures of validators for the ledger of a proof, and the headers up to the
 * signed ledger. Null if there are none on record, or if the chain of headers is longer than a bundle
 * may have.
 */
export async function loadRecordedAttestation(
  store: Pick<EventStore, 'readLast' | 'readStream'>,
  { request: { network }, anchor }: Pick<CompletedProof, 'request' | 'anchor'>,
): Promise<RecordedAttestation | null> {
  const own = await loadAttestation(store, anchor);
  if (own === null || !isProvable(own)) return null;
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
  store: Pick<EventStore, 'readLast'>,
  own: AttestationEvent,
): Promise<{ readonly attested: LedgerAttested['data']; readonly chain: string } | null> {
  const links: Buffer[] = [];
  let event = own;
  while (event.type === 'LedgerLinked') {
    const { ledgerId, next, links: more } = event.data;
    links.push(Buffer.from(more, 'base64'));
    const following = await loadAttestation(store, { ledgerId, ...next });
    if (following === null) return null;
    event = following;
  }
  return { attested: event.data, chain: Buffer.concat(links).toString('base64') };
}
