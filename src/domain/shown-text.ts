/**
 * Characters that nobody sees, or that make a text look like another one: controls, line breaks,
 * directions, and characters without a shape. Joiners and selectors stay, which Persian, Indian
 * scripts and emoji need.
 */
const misleading =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]|(?!\p{Join_Control}|\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/gu;

/** A text of somebody else that is safe to show: each misleading character is replaced by U+FFFD. */
export function shownText(text: string): string {
  return text.toWellFormed().replace(misleading, '\ufffd');
}

/**
 * Encloses a text that is written from right to left in characters that isolate it (Unicode UAX #9), so
 * that it cannot reorder the words around it. Other texts stay as they are.
 */
export function isolated(text: string): string {
  return rightToLeft.test(text) ? `\u2068${text}\u2069` : text;
}

const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
