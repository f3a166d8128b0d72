/**
 * Folds a text for comparisons without regard to case: full case folding as Unicode's lower case of
 * the upper case (so that ß is ss and ς is σ), composed (NFC). The lower case is taken first too,
 * because the upper case of the capital ẞ is itself. PostgreSQL's rules depend on its locale.
 */
export function foldText(text: string): string {
  const folded = text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase();
  return folded.replaceAll('ς', 'σ').normalize('NFC');
}
