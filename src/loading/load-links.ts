import { linksDecider } from '../domain/link/decider.ts';
import type { LinksState } from '../domain/link/state.ts';
import { streams } from '../domain/streams.ts';
import type { ProofId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { load } from '../event-store/handling/load.ts';

/** The links of a proof as the log has them now. */
export async function loadLinks(
  store: Pick<EventStore, 'readStream'>,
  proofId: ProofId,
): Promise<LinksState> {
  return (await load(store, streams.links(proofId), linksDecider)).state;
}
