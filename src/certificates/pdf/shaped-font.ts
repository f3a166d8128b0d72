import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font, type Glyph, type GlyphRun } from 'fontkit';
import { skipMissingAnchors } from './skip-missing-anchors.ts';
import { type WholeCharacter, wholeCharacters } from './whole-characters.ts';

/** A font that shapes runs of one direction and caches the results. */
export interface ShapedFont {
  readonly name: FontName;
  readonly font: Font;
  has(codePoint: number): boolean;
  /** Characters from left to right, for either direction. For `actualText`, see `wholeCharacters`. */
  characters(
    text: string,
    direction: Direction,
    actualText: string | null,
  ): readonly WholeCharacter[];
  /** Points at size 1. */
  widthOf(text: string, direction: Direction): number;
}

export type Direction = 'ltr' | 'rtl';

/** Font files, each read at its first use. */
const files = {
  light: 'noto-sans/300Light/NotoSans_300Light.ttf',
  sans: 'noto-sans/400Regular/NotoSans_400Regular.ttf',
  bold: 'noto-sans/600SemiBold/NotoSans_600SemiBold.ttf',
  mono: 'noto-sans-mono/400Regular/NotoSansMono_400Regular.ttf',
  arabic: 'noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf',
  hebrew: 'noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf',
  chinese: 'noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf',
  japanese: 'noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf',
  korean: 'noto-sans-kr/400Regular/NotoSansKR_400Regular.ttf',
  emoji: 'noto-emoji/400Regular/NotoEmoji_400Regular.ttf',
} as const;
export type FontName = keyof typeof files;

/** Maximum cached runs per font: texts of every certificate, and frequent names. */
const maxRemembered = 2_000;

interface Shaped {
  readonly characters: readonly WholeCharacter[];
  readonly advance: number;
}

const { resolve } = createRequire(import.meta.url);
const loaded = new Map<FontName, ShapedFont>();

/** Returns the font with this name, shared by all documents of a process. */
export function shapedFont(name: FontName): ShapedFont {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const font = create(readFileSync(resolve(`@expo-google-fonts/${files[name]}`)));
  keepCodePoints(font);
  allowComposites(font);
  skipMissingAnchors(font);
  const remembered = new Map<string, Shaped>();
  const shape = (text: string, direction: Direction, actualText: string | null): Shaped => {
    if (name === 'mono' && text.length > 1 && actualText === null) return inARow(text);
    const key = `${direction} ${actualText ?? ''} ${text}`;
    const before = remembered.get(key);
    if (before !== undefined) return before;
    const run = withoutBlanks(font, text, layOut(font, text, direction));
    const characters = wholeCharacters(run, direction, actualText);
    const shaped = { characters, advance: run.advanceWidth };
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(key, shaped);
    return shaped;
  };
  const ofOneWidth = name === 'mono' ? shape('0', 'ltr', null).advance / font.unitsPerEm : 0;
  // The mono font needs no shaping across characters, and its texts rarely repeat.
  const inARow = (text: string): Shaped => {
    const shapes = Array.from(text, (character) => shape(character, 'ltr', null));
    return {
      characters: shapes.flatMap(({ characters }) => characters),
      advance: shapes.reduce((sum, { advance }) => sum + advance, 0),
    };
  };
  const shaped: ShapedFont = {
    name,
    font,
    has: (codePoint) => font.hasGlyphForCodePoint(codePoint),
    characters: (text, direction, actualText) => shape(text, direction, actualText).characters,
    widthOf: (text, direction) =>
      name === 'mono'
        ? Array.from(text).length * ofOneWidth
        : shape(text, direction, null).advance / font.unitsPerEm,
  };
  loaded.set(name, shaped);
  return shaped;
}

/** Shapes a run. A font whose tables fail for a text draws it without them, glyph after glyph. */
function layOut(font: Font, text: string, direction: Direction): GlyphRun {
  try {
    return font.layout(text, [], undefined, undefined, direction);
  } catch {
    const inOrder = Array.from(text, (character) =>
      font.glyphForCodePoint(character.codePointAt(0) ?? 0),
    );
    const glyphs = direction === 'rtl' ? inOrder.reverse() : inOrder;
    const positions = glyphs.map(({ advanceWidth }) => ({
      ...{ xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 },
    }));
    const advanceWidth = positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
    return { glyphs, positions, advanceWidth };
  }
}

/**
 * Gives each use of a glyph its own code points. fontkit keeps one object per glyph, with the code
 * points of its first use, perhaps from another document.
 */
function keepCodePoints(font: Font): void {
  const getGlyph = font.getGlyph.bind(font);
  const uses = new Map<string, Glyph>();
  font.getGlyph = (id, codePoints = []) => {
    const key = `${id} ${codePoints.join()}`;
    const known = uses.get(key);
    if (known !== undefined) return known;
    const use: Glyph = Object.create(getGlyph(id), { codePoints: { value: codePoints } });
    uses.set(key, use);
    return use;
  };
}

/** Raises the limits in the font's `maxp` table, for composites of its own glyphs. */
function allowComposites({ maxp }: Font): void {
  maxp.maxComponentElements = Math.max(maxp.maxComponentElements, 16);
  maxp.maxComponentDepth += 1;
  maxp.maxCompositePoints = Math.max(maxp.maxCompositePoints, 16 * maxp.maxPoints);
  maxp.maxCompositeContours = Math.max(maxp.maxCompositeContours, 16 * maxp.maxContours);
}

/** Restores the code points of joiners, which fontkit draws as blanks without advance. */
function withoutBlanks(font: Font, text: string, run: ReturnType<Font['layout']>) {
  const [joiner] = /[\u200C\u200D]/.exec(text) ?? [];
  if (joiner === undefined) return run;
  const codePoints = [joiner.charCodeAt(0)];
  const glyphs = run.glyphs.map((glyph, index) =>
    glyph.codePoints[0] === 0x20 && run.positions[index]?.xAdvance === 0
      ? font.getGlyph(glyph.id, codePoints)
      : glyph,
  );
  return { ...run, glyphs, advanceWidth: run.advanceWidth };
}
