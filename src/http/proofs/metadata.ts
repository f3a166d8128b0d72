import type { JsonFault } from '../../domain/json-value.ts';
import { findMetadataFault, type ProofMetadata } from '../../domain/proof/metadata.ts';
import { text } from '../fields.ts';
import { freeValue } from '../free-value.ts';

interface PostedMetadata extends ProofMetadata {
  readonly description?: string | null;
}

const maxDescription = 500;
const description = text(maxDescription);

/** The metadata of POST /proofs. All members are kept; only `description` has a prescribed form. */
export const metadata = freeValue<PostedMetadata | null>(findPostedFault, {
  type: ['object', 'null'],
  properties: { description: { type: ['string', 'null'], maxLength: maxDescription } },
  additionalProperties: true,
  description:
    'a description, and members of your choice, which are kept and given back; at most 16 kB as JSON',
  examples: [{ description: 'the first page', caseNumber: '2026-114' }],
});

/** Splits metadata into the description, which lists search, and the other members. */
export function splitMetadata(posted: PostedMetadata | null | undefined): {
  readonly description: string | null;
  readonly metadata: ProofMetadata | null;
} {
  const { description = null, ...others } = posted ?? {};
  return { description, metadata: Object.keys(others).length === 0 ? null : others };
}

function findPostedFault(value: unknown): JsonFault | null {
  if (value === null) return null;
  const given: unknown = (value as PostedMetadata).description ?? null;
  if (given === null) return findMetadataFault(value);
  if (typeof given !== 'string') return { path: ['description'], why: 'must be a string' };
  const [issue] = description.safeParse(given).error?.issues ?? [];
  return issue ? { path: ['description'], why: issue.message } : findMetadataFault(value);
}
