import type { OrganisationId } from '../../src/domain/ulid.ts';

/**
 * Trigrams of folded texts as the index holds them. Every three characters (code points of any
 * script or kind) are hashed to 32 bits together with their organisation. So a search does not hit
 * other organisations' texts. Different trigrams may share a number, so every hit must be checked
 * again.
 */
export function trigramsOf(organisationId: OrganisationId, texts: readonly string[]): number[] {
  const seed = hashOf(organisationId);
  const found = new Set<number>();
  for (const text of texts) {
    let first = 0;
    let second = 0;
    let length = 0;
    for (const character of text) {
      const third = character.codePointAt(0) ?? 0;
      length += 1;
      if (length >= trigramLength) found.add(mix(mix(mix(seed, first), second), third));
      first = second;
      second = third;
    }
  }
  return [...found];
}

/** The first `most` distinct trigrams of a text, unhashed; none if the text is shorter. */
export function writtenTrigramsOf(text: string, most: number): readonly string[] {
  const found = new Set<string>();
  let last: readonly string[] = [];
  for (const character of text) {
    if (found.size === most) break;
    last = [...last.slice(1 - trigramLength), character];
    if (last.length === trigramLength) found.add(last.join(''));
  }
  return [...found];
}

const trigramLength = 3;

function hashOf(text: string): number {
  let hash = 0;
  for (let n = 0; n < text.length; n += 1) hash = mix(hash, text.charCodeAt(n));
  return hash;
}

/** One round of MurmurHash3 (32 bits). */
function mix(hash: number, value: number): number {
  let k = Math.imul(value, 0xcc9e2d51);
  k = Math.imul((k << 15) | (k >>> 17), 0x1b873593);
  const h = hash ^ k;
  return (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
}
