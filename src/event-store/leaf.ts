import { hash } from 'node:crypto';
import type { LeafInput } from '../domain/log/leaf-input.ts';
import type { EventRow } from './stored-event.ts';

/**
 * Leaf version 1: SHA-256(0x00 ‖ UTF-8 of the RFC 8785 JSON below), the leaf hash of RFC 6962 §2.1
 * over that text. The text is written out here because its keys are fixed and in RFC 8785 order.
 * `JSON.stringify` and RFC 8785 write every string in it alike.
 */
export function leafHash(leaf: LeafInput): Buffer {
  return Buffer.from(leafBits(leaf, JSON.stringify), 'latin1');
}

/**
 * As `leafHash`, as 32 characters of Latin-1, for texts of ASCII without quotes, backslashes and
 * control characters.
 */
export function plainLeafBits(leaf: LeafInput): string {
  return leafBits(leaf, quoted);
}

function quoted(text: string | null): string {
  return text === null ? 'null' : `"${text}"`;
}

/** @param json writes a value as JSON */
function leafBits(leaf: LeafInput, json: (text: string | null) => string): string {
  const text =
    `{"dataHash":${json(leaf.dataHash)}` +
    `,"eventId":${json(leaf.eventId)}` +
    `,"metaHash":${json(leaf.metaHash)}` +
    `,"organisationId":${json(leaf.organisationId)}` +
    `,"recordedAt":${json(leaf.recordedAt)}` +
    `,"schema":${leaf.schema}` +
    `,"stream":${json(leaf.stream)}` +
    `,"type":${json(leaf.type)}` +
    `,"v":1,"version":${leaf.version}}`;
  // As a string: bytes of their own would cost an allocation outside the heap.
  return hash('sha256', `\0${text}`, 'latin1');
}

/** SHA-256 of a stored text, lower-case hex. */
export function textHash(text: string): string {
  return hash('sha256', text, 'hex');
}

/** Leaf input of a stored event. */
export function leafInputOf(row: EventRow): LeafInput {
  return {
    eventId: row.event_id,
    organisationId: row.organisation_id,
    stream: row.stream,
    version: row.version,
    type: row.type,
    schema: row.schema,
    recordedAt: row.recorded_at,
    dataHash: textHash(row.data),
    metaHash: textHash(row.meta),
  };
}
