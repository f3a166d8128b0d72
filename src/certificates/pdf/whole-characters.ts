import type { Glyph, GlyphRun } from 'fontkit';

/** What is drawn for one character as people see it, and copied as such. Font units. */
export interface WholeCharacter {
  readonly parts: readonly Part[];
  readonly codePoints: readonly number[];
  readonly advance: number;
  /** The glyph of the font that it is, or null if one has to be made. */
  readonly plain: Glyph | null;
  /** The same for the same. */
  readonly key: string;
}

export interface Part {
  readonly glyph: Glyph;
  readonly x: number;
  readonly y: number;
}

/**
 * Puts together what belongs together: a letter with its dots and marks, which are glyphs without an
 * advance of their own (before it, when drawn from right to left). `says` is what a run is to be
 * copied as, that is one character: an emoji of several code points, or a syllable whose signs are
 * drawn in another order than they are written.
 */
export function wholeCharacters(
  run: GlyphRun,
  direction: 'ltr' | 'rtl',
  says: string | null,
): WholeCharacter[] {
  const places = placesOf(run);
  if (says !== null) return [put(places, 0, codePointsOf(says))];
  const characters: WholeCharacter[] = [];
  let from = 0;
  places.forEach((place, index) => {
    const next = places[index + 1];
    const ends = direction === 'rtl' ? place.advance !== 0 : next?.advance !== 0;
    if (!ends && next !== undefined) return;
    const group = places.slice(from, index + 1);
    // As drawn: readers turn round what goes from right to left, code point by code point.
    const codePoints = group.flatMap(({ glyph }) => glyph.codePoints);
    characters.push(put(group, group[0]?.pen ?? 0, codePoints));
    from = index + 1;
  });
  return characters;
}

export function codePointsOf(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

interface Place extends Part {
  readonly pen: number;
  readonly advance: number;
}

function placesOf({ glyphs, positions }: GlyphRun): Place[] {
  let pen = 0;
  return glyphs.map((glyph, index) => {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
    const place = { glyph, pen, x: pen + xOffset, y: yOffset, advance: xAdvance };
    pen += xAdvance;
    return place;
  });
}

function put(
  places: readonly Place[],
  origin: number,
  codePoints: readonly number[],
): WholeCharacter {
  const parts = places.map(({ glyph, x, y }) => ({ glyph, x: x - origin, y }));
  const advance = places.reduce((sum, place) => sum + place.advance, 0);
  const [only] = parts;
  const plain = parts.length === 1 && only?.x === 0 && only.y === 0 ? only.glyph : null;
  const drawn = parts.map(({ glyph, x, y }) => `${glyph.id} ${x} ${y}`).join();
  const key = `${plain === null ? `${drawn};${advance}` : plain.id};${codePoints.join()}`;
  return { parts, codePoints, advance, plain, key };
}
