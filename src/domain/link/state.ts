import type { Recorded } from '../event.ts';
import type { LinkId, OrganisationId } from '../ulid.ts';
import type { LinkCreated, LinkEvent } from './events.ts';

/** A link to a proof's page. `createdAt` is `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export type Link = LinkCreated['data'] & {
  readonly createdAt: string;
  readonly isWithdrawn: boolean;
};

/** All links of one proof, in the order of their creation. */
export type LinksState =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'known';
      readonly organisationId: OrganisationId;
      readonly links: readonly Link[];
    };

export const unknownLinks: LinksState = { status: 'unknown' };

/** Folds one event into the state. Throws if the event cannot follow, which is a defect. */
export function evolveLinks(state: LinksState, event: Recorded<LinkEvent>): LinksState {
  if (event.type === 'LinkCreated') {
    const { organisationId } = event.data;
    const link = { ...event.data, createdAt: event.recordedAt, isWithdrawn: false };
    return { status: 'known', organisationId, links: [...linksOf(state), link] };
  }
  if (state.status === 'unknown') throw new Error(`${event.type} before LinkCreated`);
  const links = state.links.map((link) => {
    return link.linkId === event.data.linkId ? { ...link, isWithdrawn: true } : link;
  });
  return { ...state, links };
}

/** Links that open the page at a moment, in the order of their creation. */
export function liveLinks(state: LinksState, now: Date): readonly Link[] {
  return linksOf(state).filter(
    ({ isWithdrawn, expiresAt }) =>
      !isWithdrawn && (expiresAt === null || Date.parse(expiresAt) > now.getTime()),
  );
}

/** The live link of this id; null if it was withdrawn, has expired or never existed. */
export function liveLink(state: LinksState, linkId: LinkId, now: Date): Link | null {
  return liveLinks(state, now).find((link) => link.linkId === linkId) ?? null;
}

export function linksOf(state: LinksState): readonly Link[] {
  return state.status === 'known' ? state.links : [];
}
