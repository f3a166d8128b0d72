import { Refusal } from './refusal.ts';

const maxCharacters = 255;

/**
 * Checks a name and returns it unchanged: 1–255 characters (code points), no NUL, no lone
 * surrogate. `field` is its name in the refusal.
 */
export function checkName(field: string, text: string): string {
  const characters = [...text].length;
  if (characters < 1 || characters > maxCharacters) {
    throw new Refusal('INVALID_REQUEST', `${field}: must have 1 to ${maxCharacters} characters`);
  }
  if (text.includes('\0')) throw new Refusal('INVALID_REQUEST', `${field}: must not contain NUL`);
  if (!text.isWellFormed()) {
    throw new Refusal('INVALID_REQUEST', `${field}: must be well-formed Unicode`);
  }
  return text;
}
