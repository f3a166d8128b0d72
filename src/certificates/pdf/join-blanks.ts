import type { WholeCharacter } from './whole-characters.ts';

/**
 * Joins several blanks in a row with the character left of them. PDF readers replace blanks by one
 * blank, but they copy the whole text of a character. Blanks at the left end of a run stay as they
 * are.
 */
export function joinBlanks(characters: readonly WholeCharacter[]): readonly WholeCharacter[] {
  const joined: WholeCharacter[] = [];
  let at = 0;
  while (at < characters.length) {
    let end = at;
    while (isBlank(characters[end])) end += 1;
    const blanks = characters.slice(at, end);
    const before = joined.at(-1);
    if (blanks.length < 2 || before === undefined) joined.push(...blanks);
    else joined[joined.length - 1] = join(before, blanks);
    const next = characters[end];
    if (next !== undefined) joined.push(next);
    at = end + 1;
  }
  return joined;
}

function isBlank(character: WholeCharacter | undefined): boolean {
  const [codePoint, ...rest] = character?.codePoints ?? [];
  return rest.length === 0 && (codePoint === 0x20 || codePoint === 0x3000);
}

function join(before: WholeCharacter, blanks: readonly WholeCharacter[]): WholeCharacter {
  const codePoints = [...before.codePoints, ...blanks.flatMap((blank) => blank.codePoints)];
  const advance = blanks.reduce((sum, blank) => sum + blank.advance, before.advance);
  const key = `${before.key} and ${advance};${codePoints.join()}`;
  return { parts: before.parts, codePoints, advance, plain: null, key };
}
