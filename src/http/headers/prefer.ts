/**
 * Returns true if a `Prefer` header (RFC 7240) asks for `respond-async`. The header is a list of
 * `token [= word] *(; parameter)`. Other preferences are ignored, and an empty value counts as
 * none.
 */
export function prefersAsync(header: string | undefined): boolean {
  return splitUnquoted(header ?? '', ',').some((element) => {
    const [preference = ''] = splitUnquoted(element, ';');
    const [token = '', ...word] = splitUnquoted(preference, '=').map((part) => part.trim());
    return token.toLowerCase() === 'respond-async' && ['', '""'].includes(word.join('='));
  });
}

/** Splits at a separator outside quoted strings, in one pass. */
function splitUnquoted(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i];
    if (character === '"') quoted = !quoted;
    else if (quoted && character === '\\') i += 1;
    else if (!quoted && character === separator) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  return [...parts, text.slice(start)];
}
