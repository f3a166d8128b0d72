import type { Font, TrueTypeSubset } from 'fontkit';
import type { EmbeddedFont } from 'pdfkit';
import { joinBlanks } from './join-blanks.ts';
import type { ShapedFont } from './shaped-font.ts';
import type { GlyphPart, WholeCharacter } from './whole-characters.ts';

/**
 * Embeds one glyph per visible character, with its text, so that every PDF reader copies the right
 * text. A character of several glyphs, or with an offset, becomes a composite glyph. (pdfkit alone
 * keeps the text of a glyph's first use, but several Arabic letters share the glyph of their body.
 * Readers show glyphs without a text as garbage.)
 *
 * With `keepsBlanks`, several blanks in a row are copied as they are (`joinBlanks`).
 *
 * The first feature of `encode` is the direction. The optional second one is the text of the run.
 */
export function embedWholeCharacters(
  embedded: EmbeddedFont,
  font: ShapedFont,
  { keepsBlanks }: { readonly keepsBlanks: boolean },
): EmbeddedGlyphs {
  const { subset, widths, unicode, scale } = embedded;
  const composites = addComposites(subset, font.font);
  const indices = new Map<string, number>();
  // pdfkit does not scale the width of glyph 0.
  widths[0] = font.font.getGlyph(0).advanceWidth * scale;
  // pdfkit does not position text here; the caller does.
  embedded.widthOfString = () => 0;
  embedded.encode = (text, [direction, actualText] = []) => {
    const drawn = font.characters(text, direction === 'rtl' ? 'rtl' : 'ltr', actualText ?? null);
    const characters = keepsBlanks && severalBlanks.test(text) ? joinBlanks(drawn) : drawn;
    const encoded = characters.map((character) => {
      const known = indices.get(character.key);
      if (known !== undefined) return hexadecimal(known);
      const index = subset.glyphs.push(composites.idOf(character)) - 1;
      indices.set(character.key, index);
      widths[index] = widthOf(character) * scale;
      unicode[index] = character.codePoints;
      return hexadecimal(index);
    });
    const positions = characters.map((character) => ({
      xAdvance: character.advance * scale,
      yAdvance: 0,
      xOffset: 0,
      yOffset: 0,
      advanceWidth: widthOf(character) * scale,
    }));
    return [encoded, positions];
  };
  return { describe: () => subset.glyphs.map(composites.describe).join() };
}

interface EmbeddedGlyphs {
  /** Key of the subset's bytes, unique within its font. */
  describe(): string;
}

const severalBlanks = /[ \u3000]{2}/;

const hexadecimal = (index: number): string => index.toString(16).padStart(4, '0');

/** Width from the font file. The advance may differ by kerning. */
function widthOf({ plain, advance }: WholeCharacter): number {
  return plain?.advanceWidth ?? advance;
}

/** First id of composites, above the glyph ids of any font. */
const firstComposite = 0x10000;

/** Lets the subset hold composite glyphs. */
function addComposites(subset: TrueTypeSubset, font: Font) {
  const made: WholeCharacter[] = [];
  const addGlyph = subset._addGlyph.bind(subset);
  subset._addGlyph = (id) => {
    const character = made[id - firstComposite];
    if (character === undefined) return addGlyph(id);
    const buffer = compositeOf(character.parts, font, (part) => subset.includeGlyph(part));
    const advance = Math.round(character.advance);
    subset.glyf.push(buffer);
    subset.loca.offsets.push(subset.offset);
    subset.hmtx.metrics.push({ advance, bearing: buffer.readInt16BE(2) });
    subset.offset += buffer.length;
    return subset.glyf.length - 1;
  };
  return {
    idOf(character: WholeCharacter): number {
      return character.plain?.id ?? firstComposite + made.push(character) - 1;
    },
    describe: (id: number): string => made[id - firstComposite]?.key ?? String(id),
  };
}

const wordsAsOffsets = 0x0003;
const moreComponents = 0x0020;

/** A composite glyph description of the `glyf` table. */
function compositeOf(
  parts: readonly GlyphPart[],
  font: Font,
  include: (id: number) => number,
): Buffer {
  const drawn = parts
    .map((part) => ({ part, box: font.getGlyph(part.glyph.id).bbox }))
    .filter(({ box }) => box.maxX > box.minX);
  if (drawn.length === 0) return Buffer.alloc(0);
  const buffer = Buffer.alloc(10 + 8 * drawn.length);
  buffer.writeInt16BE(-1, 0);
  const bounds = drawn.map(({ part: { x, y }, box }) => [
    box.minX + x,
    box.minY + y,
    -box.maxX - x,
    -box.maxY - y,
  ]);
  for (let side = 0; side < 4; side += 1) {
    const least = Math.floor(Math.min(...bounds.map((bound) => bound[side] ?? 0)));
    buffer.writeInt16BE(side < 2 ? least : -least, 2 + 2 * side);
  }
  drawn.forEach(({ part: { glyph, x, y } }, index) => {
    const at = 10 + 8 * index;
    const more = index < drawn.length - 1 ? moreComponents : 0;
    buffer.writeUInt16BE(wordsAsOffsets | more, at);
    buffer.writeUInt16BE(include(glyph.id), at + 2);
    buffer.writeInt16BE(Math.round(x), at + 4);
    buffer.writeInt16BE(Math.round(y), at + 6);
  });
  return buffer;
}
