const quote = 0x22;
const backslash = 0x5c;

/**
 * True if lists and objects of a JSON text are nested in more than `most` levels. Reads the text
 * without parsing it: parsers need memory for each level. The result for other texts means nothing.
 */
export function isNestedDeeper(text: string, most: number): boolean {
  let levels = 0;
  let isInString = false;
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place);
    if (isInString && code === backslash) place += 1;
    else if (code === quote) isInString = !isInString;
    else if (isInString) continue;
    else if (isOpening(code)) levels += 1;
    else if (isClosing(code)) levels -= 1;
    if (levels > most) return true;
  }
  return false;
}

function isOpening(code: number): boolean {
  return code === 0x5b || code === 0x7b;
}

function isClosing(code: number): boolean {
  return code === 0x5d || code === 0x7d;
}
