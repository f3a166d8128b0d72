import { Refusal } from '../refusal.ts';

const maxCharacters = 254;
const form = /^[^\s@]+@[^\s@]+$/u;

/** Returns the address unchanged. Refuses with INVALID_REQUEST a text that is no e-mail address. */
export function checkEmail(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are refused
  const isPlain = text.isWellFormed() && !/[\u0000-\u001f\u007f<>"]/u.test(text);
  if (form.test(text) && isPlain && text.length <= maxCharacters) return text;
  const message = `email: must be an e-mail address of at most ${maxCharacters} characters`;
  throw new Refusal('INVALID_REQUEST', message);
}
