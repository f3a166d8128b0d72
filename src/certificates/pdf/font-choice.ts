import { type Cluster, printableClusters, visibleCodePoints } from './printable-clusters.ts';
import { type FontName, type ShapedFont, shapedFont } from './shaped-font.ts';

/** A cluster and the font that draws it. */
export interface SetCluster extends Cluster {
  readonly font: ShapedFont;
}

/** Which of the East Asian fonts comes first: the shapes of characters that they share differ. */
type EastAsian = readonly ['chinese' | 'japanese' | 'korean', ...FontName[]];

/**
 * Sets a foreign text in `preferred` and, where that has no glyph, in the font that has; what no
 * font has, and what nobody would see, as escapes.
 */
export function setInFonts(text: string, preferred: FontName): SetCluster[] {
  if (/^[\x21-\x5B\x5D-\x7E]*$/.test(text)) return [...text].map(inFont(preferred));
  const eastAsian = eastAsianFonts(text);
  const pick = (codePoints: readonly number[]): ShapedFont | undefined =>
    candidates(codePoints, preferred, eastAsian)
      .map(shapedFont)
      .find((font) => codePoints.every((codePoint) => font.has(codePoint)));
  return printableClusters(text, (codePoints) => pick(codePoints) !== undefined).map((cluster) => {
    const font = cluster.escaped ? shapedFont('mono') : pick(visibleCodePoints(cluster.text));
    return { ...cluster, font: font ?? shapedFont('mono') };
  });
}

function inFont(name: FontName): (text: string) => SetCluster {
  const font = shapedFont(name);
  return (text) => ({ text, escaped: false, font });
}

/** By the script alone, so that a font of ten megabytes is read only for what it is for. */
function candidates(
  codePoints: readonly number[],
  preferred: FontName,
  eastAsian: EastAsian,
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
    return [preferred, 'sans', 'arabic', 'hebrew', 'emoji', ...eastAsian];
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
