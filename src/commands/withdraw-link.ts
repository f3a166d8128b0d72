import { linksDecider } from '../domain/link/decider.ts';
import { streams } from '../domain/streams.ts';
import type { LinkId, OrganisationId, ProofId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handle } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';

/** Withdraws a link for good. Refuses with LINK_NOT_FOUND. */
export async function withdrawLink(
  { store }: { readonly store: EventStore },
  of: {
    readonly organisationId: OrganisationId;
    readonly proofId: ProofId;
    readonly linkId: LinkId;
  },
  meta: EventMeta,
): Promise<void> {
  const stream = streams.links(of.proofId);
  await handle(store, stream, linksDecider, (state) => linksDecider.withdraw(state, of), meta);
}
