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

/** True if both name the same mailbox for this service: the case of letters A to Z does not matter. */
export function isSameAddress(a: string, b: string): boolean {
  return foldCase(a) === foldCase(b);
}

/** Text of which the index of an address is made: equal addresses have equal texts. */
export function indexedAddress(address: string): string {
  return `address of a person|${foldCase(address)}`;
}

/** Unicode would make one address of two, such as of those with K (U+212A) and k. */
function foldCase(address: string): string {
  return address.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
