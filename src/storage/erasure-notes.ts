import { isUlid, type OrganisationId } from '../domain/ulid.ts';

/**
 * Where it is noted which organisations were erased, beside the folders of organisations: a note each,
 * called by the organisation's id, so that notes are only ever added. No organisation has this name.
 */
export const erasuresName = 'erased';

/** What a note says, for people; to programs its name says it all. */
export function formatErasureNote(organisationId: OrganisationId, at: Date): string {
  return `${JSON.stringify({ organisationId, erasedAt: at.toISOString() })}\n`;
}

/** Throws on an id that is none: such a text never reaches a file system or a bucket. */
export function checkErased(organisationId: string): OrganisationId {
  if (isUlid(organisationId)) return organisationId as OrganisationId;
  throw new TypeError('an organisation id must be a ULID');
}

/** The organisations of notes of these names; other files are passed over. */
export function erasedOf(names: readonly string[]): ReadonlySet<OrganisationId> {
  return new Set(names.filter(isUlid) as OrganisationId[]);
}
