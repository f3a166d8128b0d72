/** One visible character, or the escape of an invisible code point. */
export interface Cluster {
  readonly text: string;
  /** True if `text` is an escape such as `\u{202E}`, which is not in the original. */
  readonly escaped: boolean;
}

/** More marks on one letter than any language uses, which would overlap other lines. */
const piledMarks = /[\p{M}--[\uFE0E\uFE0F]]{5}/v;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Makes an untrusted text completely visible and without effect on its surroundings. Escapes
 * controls, formatting and invisible characters, ambiguous blanks, piled marks and undrawable
 * clusters. In template 3, two or three equal blanks between visible characters stay blanks.
 */
export function printableClusters(
  text: string,
  isTemplate3: boolean,
  isDrawable: (cluster: string) => boolean,
): Cluster[] {
  const segments = Array.from(graphemes.segment(text), ({ segment }) => segment);
  return segments.flatMap((segment, index) => {
    if (isBlankText(segment)) {
      const isVisible = isTemplate3 ? isShortGap(segments, index) : isLoneBlank(segments, index);
      return [isVisible ? plain(segment) : escapeOf(segment)];
    }
    if (segment === '\\') return [segments[index + 1] === 'u' ? escapeOf(segment) : plain(segment)];
    if (isHarmless(segment) && isDrawable(segment)) return [plain(segment)];
    return [...segment].map((character) =>
      !suspicious.test(character) && isDrawable(character) ? plain(character) : escapeOf(character),
    );
  });
}

/** True for a blank that is drawn as such. */
export function isBlank(cluster: Cluster | undefined): boolean {
  return cluster !== undefined && !cluster.escaped && isBlankText(cluster.text);
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

/** Zero-width joiner and non-joiner, and the variation selectors of text and emoji style. */
const connector = /^(?:\u200C|\u200D|\uFE0E|\uFE0F)$/u;

/** Characters to escape when alone: invisible ones, marks, and blanks easily taken for U+0020. */
const suspicious =
  /[\p{C}\p{Zl}\p{Zp}\p{M}\p{Default_Ignorable_Code_Point}\u00A0\u1680\u2000-\u200A\u202F\u205F\u2800]/u;

/** Excludes invisible marks such as U+034F, which keeps letters from joining. */
const visibleMark = /[\p{M}--\p{Default_Ignorable_Code_Point}]/v;

/** Accepts joiners and selectors where scripts and emoji need them, and marks on a base. */
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

/** The two blanks that people type: U+0020, and U+3000 of East Asia. */
function isBlankText(segment: string | undefined): boolean {
  return segment === ' ' || segment === '\u3000';
}

/** True for a blank between two visible characters. Other blanks are easily overlooked. */
function isLoneBlank(segments: readonly string[], index: number): boolean {
  const neighbours = [segments[index - 1], segments[index + 1]];
  return neighbours.every((neighbour) => neighbour !== undefined && !isBlankText(neighbour));
}

/** More blanks in a row could move the end of a name out of sight. */
const mostBlanks = 3;

/** True for a blank in a row of at most three equal ones, between two visible characters. */
function isShortGap(segments: readonly string[], index: number): boolean {
  let start = index;
  while (isBlankText(segments[start - 1])) start -= 1;
  let end = index + 1;
  while (isBlankText(segments[end])) end += 1;
  const isInside = start > 0 && end < segments.length;
  const row = segments.slice(start, end);
  return isInside && row.length <= mostBlanks && new Set(row).size === 1;
}
