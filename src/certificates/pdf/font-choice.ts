import { type Cluster, printableClusters, visibleCodePoints } from './printable-clusters.ts';
import { type FontName, type ShapedFont, shapedFont } from './shaped-font.ts';

/** A cluster and the font that draws it. */
export interface SetCluster extends Cluster {
  readonly font: ShapedFont;
}

/** East Asian fonts in order of preference: the shapes of shared characters differ. */
type EastAsian = readonly ['chinese' | 'japanese' | 'korean', ...FontName[]];

/**
 * Chooses a font for each cluster of an untrusted text: `preferred`, or another font if that has no
 * glyph. Escapes invisible characters and characters without a glyph in any font.
 */
export function setInFonts(text: string, preferred: FontName): SetCluster[] {
  if (/^[\x21-\x5B\x5D-\x7E]*$/.test(text)) return [...text].map(inFont(preferred));
  const eastAsian = eastAsianFonts(text);
  const pick = (codePoints: readonly number[], before: FontName | null) =>
    candidates(codePoints, { preferred, before, eastAsian })
      .map(shapedFont)
      .find((font) => codePoints.every((codePoint) => font.has(codePoint)));
  const clusters = printableClusters(text, (codePoints) => pick(codePoints, null) !== undefined);
  let before: FontName | null = null;
  return clusters.map((cluster) => {
    const font = cluster.escaped ? undefined : pick(visibleCodePoints(cluster.text), before);
    before = font?.name ?? before;
    return { ...cluster, font: font ?? shapedFont('mono') };
  });
}

function inFont(name: FontName): (text: string) => SetCluster {
  const font = shapedFont(name);
  return (text) => ({ text, escaped: false, font });
}

interface Surroundings {
  readonly preferred: FontName;
  /** Font of the previous cluster. */
  readonly before: FontName | null;
  readonly eastAsian: EastAsian;
}

/** Chooses by script alone, so that a font of ten megabytes is read only for its own scripts. */
function candidates(
  codePoints: readonly number[],
  { preferred, before, eastAsian }: Surroundings,
): FontName[] {
  const characters = codePoints.map((codePoint) => String.fromCodePoint(codePoint)).join('');
  if (/\p{Emoji_Presentation}/u.test(characters)) return ['emoji', preferred];
  if (/^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u.test(characters)) {
    return [preferred, 'sans'];
  }
  if (/^[\p{Script_Extensions=Arabic}--\p{Script=Common}]/v.test(characters)) return ['arabic'];
  if (/^\p{Script=Hebrew}/u.test(characters)) return ['hebrew'];
  if (/^\p{Script=Devanagari}/u.test(characters)) return ['sans'];
  if (/^[\p{Script=Common}\p{Script=Inherited}]/u.test(characters)) {
    // Keep blanks in the font of Hebrew or Arabic, so that words are shaped and copied together.
    const same = before === 'hebrew' || before === 'arabic' ? [before] : [];
    return [...same, preferred, 'sans', 'arabic', 'hebrew', 'emoji', ...eastAsian];
  }
  return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u.test(
    characters,
  )
    ? [...eastAsian]
    : [];
}

function eastAsianFonts(text: string): EastAsian {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) {
    return ['japanese', 'chinese', 'korean'];
  }
  if (/\p{Script=Hangul}/u.test(text)) return ['korean', 'chinese', 'japanese'];
  return ['chinese', 'japanese', 'korean'];
}
