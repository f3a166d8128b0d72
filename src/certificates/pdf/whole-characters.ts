import type { Glyph, GlyphRun } from 'fontkit';

/** Glyphs of one visible character, and the code points that readers copy. In font units. */
export interface WholeCharacter {
  readonly parts: readonly GlyphPart[];
  readonly codePoints: readonly number[];
  readonly advance: number;
  /** The font's glyph for the character; null if a composite is needed. */
  readonly plain: Glyph | null;
  /** Equal for equal characters. */
  readonly key: string;
}

export interface GlyphPart {
  readonly glyph: Glyph;
  readonly x: number;
  readonly y: number;
}

/**
 * Groups the glyphs of each character: a letter with its dots and marks, which have no advance.
 * Glyphs drawn from right to left have their marks first. `actualText` is the text of a run that is one
 * character: an emoji of several code points, or a syllable whose signs are drawn in another order.
 */
export function wholeCharacters(
  run: GlyphRun,
  direction: 'ltr' | 'rtl',
  actualText: string | null,
): WholeCharacter[] {
  const drawn = drawnGlyphs(run);
  if (actualText !== null) return [put(drawn, 0, codePointsOf(actualText))];
  const characters: WholeCharacter[] = [];
  let from = 0;
  drawn.forEach((each, index) => {
    const next = drawn[index + 1];
    const ends = direction === 'rtl' ? each.advance !== 0 : next?.advance !== 0;
    if (!ends && next !== undefined) return;
    const group = drawn.slice(from, index + 1);
    // Keep the drawn order: PDF readers reverse right-to-left text, code point by code point.
    const codePoints = group.flatMap(({ glyph }) => glyph.codePoints);
    characters.push(put(group, group[0]?.pen ?? 0, codePoints));
    from = index + 1;
  });
  return characters;
}

function codePointsOf(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

interface DrawnGlyph extends GlyphPart {
  readonly pen: number;
  readonly advance: number;
}

function drawnGlyphs({ glyphs, positions }: GlyphRun): DrawnGlyph[] {
  let pen = 0;
  return glyphs.map((glyph, index) => {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
    const one = { glyph, pen, x: pen + xOffset, y: yOffset, advance: xAdvance };
    pen += xAdvance;
    return one;
  });
}

function put(
  drawn: readonly DrawnGlyph[],
  origin: number,
  codePoints: readonly number[],
): WholeCharacter {
  const parts = drawn.map(({ glyph, x, y }) => ({ glyph, x: x - origin, y }));
  const advance = drawn.reduce((sum, each) => sum + each.advance, 0);
  const [only] = parts;
  const plain = parts.length === 1 && only?.x === 0 && only.y === 0 ? only.glyph : null;
  const form = parts.map(({ glyph, x, y }) => `${glyph.id} ${x} ${y}`).join();
  const key = `${plain === null ? `${form};${advance}` : plain.id};${codePoints.join()}`;
  return { parts, codePoints, advance, plain, key };
}
