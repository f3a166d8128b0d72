import { isUlid, type OrganisationId } from '../domain/ulid.ts';

/**
 * Folder of the erasure notes, beside the folders of organisations. Each note is named by the
 * organisation's id, so that notes are only ever added. No organisation has this name.
 */
export const erasuresName = 'erased';

/** Content of a note, for people. Programs use only its name. */
export function formatErasureNote(organisationId: OrganisationId, at: Date): string {
  return `${JSON.stringify({ organisationId, erasedAt: at.toISOString() })}\n`;
}

/** Throws on an invalid id, which must never reach a file system or a bucket. */
export function checkErased(organisationId: string): OrganisationId {
  if (isUlid(organisationId)) return organisationId as OrganisationId;
  throw new TypeError('an organisation id must be a ULID');
}

/** The organisations of these note names; other names are ignored. */
export function erasedOf(names: readonly string[]): ReadonlySet<OrganisationId> {
  return new Set(names.filter(isUlid) as OrganisationId[]);
}
