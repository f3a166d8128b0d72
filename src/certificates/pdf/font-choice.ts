import {
  type Cluster,
  isBlank,
  printableClusters,
  visibleCodePoints,
} from './printable-clusters.ts';
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
export function setInFonts(text: string, preferred: FontName, isTemplate3: boolean): SetCluster[] {
  if (/^[\x21-\x5B\x5D-\x7E]*$/.test(text)) return [...text].map(inFont(preferred));
  const eastAsian = eastAsianFonts(text);
  const pick = (cluster: string, before: FontName | null) => {
    const codePoints = visibleCodePoints(cluster);
    return candidates(codePoints, { preferred, before, eastAsian, isTemplate3 })
      .map(shapedFont)
      .find((font) => codePoints.every(font.has) && fitsOneGlyph(cluster, font));
  };
  const clusters = printableClusters(
    text,
    isTemplate3,
    (cluster) => pick(cluster, null) !== undefined,
  );
  let before: FontName | null = null;
  return clusters.map((cluster, index) => {
    const isOneOfBlanks =
      isBlank(cluster) && (isBlank(clusters[index - 1]) || isBlank(clusters[index + 1]));
    // Several blanks stay in the run of the character before them, and are copied with it.
    const same = isOneOfBlanks && before !== null ? shapedFont(before) : null;
    if (same?.has(cluster.text.charCodeAt(0))) return { ...cluster, font: same };
    const font = cluster.escaped ? undefined : pick(cluster.text, before);
    before = font?.name ?? before;
    return { ...cluster, font: font ?? shapedFont('mono') };
  });
}

/** Widest glyph, in font units: the `glyf` table has 16 bits for a distance, with a sign. */
const widest = 32_000;
/** In UTF-16 units: no shorter cluster is so wide. */
const neverTooWide = 8;

/**
 * True if a cluster can be embedded as one glyph. Unicode sets no limit to a cluster: letters of
 * Indic scripts that viramas join, or joined emoji, are one, however many they are.
 */
function fitsOneGlyph(cluster: string, font: ShapedFont): boolean {
  if (cluster.length <= neverTooWide) return true;
  return font.widthOf(cluster, 'ltr') * font.font.unitsPerEm <= widest;
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
  readonly isTemplate3: boolean;
}

/** Chooses by script alone, so that a font of ten megabytes is read only for its own scripts. */
function candidates(
  codePoints: readonly number[],
  { preferred, before, eastAsian, isTemplate3 }: Surroundings,
): FontName[] {
  const characters = codePoints.map((codePoint) => String.fromCodePoint(codePoint)).join('');
  if (/\p{Emoji_Presentation}/u.test(characters)) return ['emoji', preferred];
  if (/^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u.test(characters)) {
    // East Asian fonts have full-width Latin letters. Earlier templates escape these.
    return isTemplate3 && /^[\uFF21-\uFF5A]/.test(characters)
      ? [...eastAsian]
      : [preferred, 'sans'];
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
