/**
 * The form in which texts are compared without regard to case: full case folding as Unicode's lower
 * case of its upper case (so that ß is ss and ς is σ), composed (NFC). It is done here and not by the
 * database, whose rules depend on the locale that it was made with.
 */
export function foldText(text: string): string {
  const folded = text.normalize('NFC').toUpperCase().toLowerCase();
  return folded.replaceAll('ς', 'σ').normalize('NFC');
}
