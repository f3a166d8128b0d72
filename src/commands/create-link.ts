import { linksDecider } from '../domain/link/decider.ts';
import type { LinkCreated } from '../domain/link/events.ts';
import { formatLinkToken, linkTokenBytes, linkTokenHash } from '../domain/link/link-token.ts';
import { streams } from '../domain/streams.ts';
import type { LinkId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handle } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';

export type LinkOrder = Omit<LinkCreated['data'], 'linkId' | 'tokenHash'>;

export interface CreateLinkDeps {
  readonly store: EventStore;
  readonly newId: () => string;
  readonly randomBytes: (count: number) => Buffer;
  readonly now: () => Date;
}

/**
 * Shares a proof, which the caller must have found to be its own. The token is shown to the caller
 * once: only its hash is stored. Refuses with LINK_LIMIT_REACHED, and with INVALID_REQUEST an end
 * that has passed.
 */
export async function createLink(
  { store, newId, randomBytes, now }: CreateLinkDeps,
  order: LinkOrder,
  meta: EventMeta,
): Promise<{ readonly linkId: LinkId; readonly token: string }> {
  const linkId = newId() as LinkId;
  const token = formatLinkToken(randomBytes(linkTokenBytes));
  const tokenHash = linkTokenHash(token);
  if (tokenHash === null) throw new Error('a token of another form was made');
  const link = { ...order, linkId, tokenHash };
  const stream = streams.links(order.proofId);
  await handle(
    store,
    stream,
    linksDecider,
    (state) => linksDecider.create(state, link, now()),
    meta,
  );
  return { linkId, token };
}
