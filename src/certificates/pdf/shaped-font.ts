import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font, type GlyphRun } from 'fontkit';

/** A font that shapes in a given direction and remembers what it has shaped. */
export interface ShapedFont {
  readonly name: FontName;
  /** What pdfkit embeds; its `layout` takes a direction as its only feature. */
  readonly font: Font;
  has(codePoint: number): boolean;
  /** Points at size 1. */
  widthOf(text: string, direction: Direction): number;
}

export type Direction = 'ltr' | 'rtl';

/** In the order of the files' packages; each is read when it is first needed. */
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

/** Runs kept per font: what every certificate says, and the names that come again and again. */
const maxRemembered = 2_000;

const { resolve } = createRequire(import.meta.url);
const loaded = new Map<FontName, ShapedFont>();

/** The font of this name; all documents of a process share it. */
export function shapedFont(name: FontName): ShapedFont {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const font = create(readFileSync(resolve(`@expo-google-fonts/${files[name]}`)));
  const shape = font.layout.bind(font);
  const remembered = new Map<string, GlyphRun>();
  const layout = (text: string, direction: Direction): GlyphRun => {
    const key = `${direction} ${text}`;
    const before = remembered.get(key);
    if (before !== undefined) return before;
    const run = shape(text, [], undefined, undefined, direction);
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(key, run);
    return run;
  };
  // pdfkit scales the positions in place, so that it needs a copy of its own.
  font.layout = (text, features = []) => {
    const { glyphs, positions, advanceWidth } = layout(text, directionOf(features));
    return { glyphs, positions: positions.map((position) => ({ ...position })), advanceWidth };
  };
  const shaped: ShapedFont = {
    name,
    font,
    has: (codePoint) => font.hasGlyphForCodePoint(codePoint),
    widthOf: (text, direction) => layout(text, direction).advanceWidth / font.unitsPerEm,
  };
  loaded.set(name, shaped);
  return shaped;
}

function directionOf(features: readonly string[]): Direction {
  return features[0] === 'rtl' ? 'rtl' : 'ltr';
}
