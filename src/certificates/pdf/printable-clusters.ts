/** What people see as one character, or the escape of a code point that nobody would see. */
export interface Cluster {
  readonly text: string;
  /** `text` is an escape such as `\u{202E}`, which is no part of the original. */
  readonly escaped: boolean;
}

/** More marks on one letter than languages write: they would run into the lines above and below. */
const piledMarks = /[\p{M}--[\uFE0E\uFE0F]]{5}/v;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * A foreign text in a form that shows all of it and acts on nothing: controls, formatting
 * characters, invisible ones, blanks that could pass for something else, piled marks, and what
 * `isDrawable` denies (a cluster's code points, without joiners and selectors) become escapes.
 */
export function printableClusters(
  text: string,
  isDrawable: (codePoints: readonly number[]) => boolean,
): Cluster[] {
  const segments = Array.from(graphemes.segment(text), ({ segment }) => segment);
  return segments.flatMap((segment, index) => {
    if (isBlank(segment)) {
      return [isLoneBlank(segments, index) ? plain(segment) : escapeOf(segment)];
    }
    if (segment === '\\') return [segments[index + 1] === 'u' ? escapeOf(segment) : plain(segment)];
    if (isHarmless(segment) && isDrawable(visibleCodePoints(segment))) return [plain(segment)];
    return [...segment].map((character) =>
      !suspicious.test(character) && isDrawable([codePointOf(character)])
        ? plain(character)
        : escapeOf(character),
    );
  });
}

/** The code points of a cluster that need a glyph. */
export function visibleCodePoints(cluster: string): number[] {
  return [...cluster].filter((character) => !connector.test(character)).map(codePointOf);
}

const plain = (text: string): Cluster => ({ text, escaped: false });

function escapeOf(character: string): Cluster {
  return { text: `\\u{${codePointOf(character).toString(16).toUpperCase()}}`, escaped: true };
}

function codePointOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/** Zero-width joiner and non-joiner, and the selectors of text and emoji style. */
const connector = /^(?:\u200C|\u200D|\uFE0E|\uFE0F)$/u;

/** Alone: no mark without a base; blanks other than U+0020 and U+3000 are taken for it. */
const suspicious =
  /[\p{C}\p{Zl}\p{Zp}\p{M}\p{Default_Ignorable_Code_Point}\u00A0\u1680\u2000-\u200A\u202F\u205F\u2800]/u;

/** Not U+034F, for one, which keeps letters from joining and is never seen. */
const visibleMark = /[\p{M}--\p{Default_Ignorable_Code_Point}]/v;

/** Joiners and selectors where scripts and emoji need them; marks on a base. */
function isHarmless(cluster: string): boolean {
  const [base = '', ...rest] = [...cluster];
  if (suspicious.test(base)) return false;
  if (piledMarks.test(cluster)) return false;
  const pictographic = /\p{Extended_Pictographic}/u.test(base);
  const joining = /[\p{Script=Arabic}\p{Script=Devanagari}]/u.test(base);
  return rest.every((character) => {
    if (character === '\u200C') return joining;
    if (character === '\u200D') return joining || pictographic;
    if (/[\uFE0E\uFE0F]/u.test(character)) return pictographic || rest.includes('\u20E3');
    return visibleMark.test(character) || !suspicious.test(character);
  });
}

/** The two that people enter; the one of East Asia is as wide as its characters. */
function isBlank(segment: string | undefined): boolean {
  return segment === ' ' || segment === '\u3000';
}

/** A blank between two visible characters; others are easily overlooked. */
function isLoneBlank(segments: readonly string[], index: number): boolean {
  const neighbours = [segments[index - 1], segments[index + 1]];
  return neighbours.every((neighbour) => neighbour !== undefined && !isBlank(neighbour));
}
