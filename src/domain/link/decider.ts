import type { Decisions, OwnedDecider } from '../decider.ts';
import { ownerOf } from '../owner-of.ts';
import { Refusal } from '../refusal.ts';
import type { LinkId, OrganisationId } from '../ulid.ts';
import type { LinkCreated, LinkEvent } from './events.ts';
import { evolveLinks, type LinksState, linksOf, liveLinks, unknownLinks } from './state.ts';

/** State of the links of one proof, and the decisions on them. */
export const linksDecider = {
  initial: unknownLinks,
  evolve: evolveLinks,
  ownerOf: (state: LinksState, decided: readonly LinkEvent[]): OrganisationId => {
    const [first] = decided;
    return first?.type === 'LinkCreated' ? first.data.organisationId : ownerOf(state);
  },
  create,
  withdraw,
} satisfies OwnedDecider<LinksState, LinkEvent> & Decisions;

/** Maximum number of links of a proof that open its page at the same time. */
export const maxLiveLinks = 20;
/** Maximum number of links of a proof that were ever created: all of them are read together. */
export const maxLinks = 1_000;

/**
 * Creates a link. Refuses with LINK_LIMIT_REACHED, and with INVALID_REQUEST an end that has passed or
 * an id that was used.
 */
function create(state: LinksState, link: LinkCreated['data'], now: Date): readonly LinkEvent[] {
  if (linksOf(state).some(({ linkId }) => linkId === link.linkId)) {
    throw new Refusal('INVALID_REQUEST', 'this link was created already');
  }
  if (link.expiresAt !== null && Date.parse(link.expiresAt) <= now.getTime()) {
    throw new Refusal('INVALID_REQUEST', 'expiresAt: must be in the future');
  }
  if (liveLinks(state, now).length >= maxLiveLinks) {
    const message = `the proof has ${maxLiveLinks} links, the maximum; withdraw one first`;
    throw new Refusal('LINK_LIMIT_REACHED', message);
  }
  if (linksOf(state).length >= maxLinks) {
    const message = `${maxLinks} links of the proof were created so far, the maximum`;
    throw new Refusal('LINK_LIMIT_REACHED', message);
  }
  return [{ type: 'LinkCreated', data: link }];
}

/**
 * Withdraws a link. Refuses with LINK_NOT_FOUND a link that was withdrawn, does not exist, or is
 * another organisation's. An expired one may be withdrawn.
 */
function withdraw(
  state: LinksState,
  { organisationId, linkId }: { readonly organisationId: OrganisationId; readonly linkId: LinkId },
): readonly LinkEvent[] {
  const link = linksOf(state).find((each) => each.linkId === linkId);
  if (link === undefined || link.isWithdrawn || link.organisationId !== organisationId) {
    throw new Refusal('LINK_NOT_FOUND', 'the proof has no such link');
  }
  return [{ type: 'LinkWithdrawn', data: { linkId, proofId: link.proofId } }];
}
