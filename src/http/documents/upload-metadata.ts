import { z } from 'zod';
import { findInexact } from '../../domain/exact-json.ts';
import { formatPath, prefixFault } from '../../domain/json-value.ts';
import type { ProofMetadata } from '../../domain/proof/metadata.ts';
import { Refusal } from '../../domain/refusal.ts';
import { parseInput } from '../input.ts';
import { metadata, splitMetadata } from '../proofs/metadata.ts';

const part = { schema: z.object({ metadata }) };

/**
 * Description and other metadata of a form, whose field `metadata` is JSON text. The description may
 * be a field of its own, or a member of the metadata. Refuses with INVALID_REQUEST.
 */
export function uploadMetadata(fields: {
  readonly description?: string | undefined;
  readonly metadata?: string | undefined;
}): { readonly description: string | null; readonly metadata: ProofMetadata | null } {
  const { description = null, metadata: text } = fields;
  if (text === undefined) return { description, metadata: null };
  const split = splitMetadata(parse(text));
  const isOther = description !== null && ![null, description].includes(split.description);
  if (isOther) refuse('metadata.description: differs from the field description; send one of them');
  return { ...split, description: description ?? split.description };
}

function parse(text: string) {
  const value = read(text);
  const fault = findInexact(text);
  if (fault) refuse(`${formatPath(prefixFault('metadata', fault))}: ${fault.why}`);
  return parseInput(part, { metadata: value }).metadata;
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the text.
    return refuse('metadata: must be JSON');
  }
}

function refuse(message: string): never {
  throw new Refusal('INVALID_REQUEST', message);
}
