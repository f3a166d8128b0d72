import { Mistake, parseUrl } from './variable.ts';

/** Statements of the operator about itself, which the pages show to everybody. Null: not stated. */
export interface OperatorConfig {
  readonly name: string | null;
  /** `mailto:`, `https:` or `http:` URL. */
  readonly contact: string | null;
  readonly imprintUrl: string | null;
  readonly privacyUrl: string | null;
}

interface OperatorVariables {
  readonly OPERATOR_NAME?: string | undefined;
  readonly OPERATOR_CONTACT?: string | undefined;
  readonly OPERATOR_IMPRINT_URL?: string | undefined;
  readonly OPERATOR_PRIVACY_URL?: string | undefined;
}

export function operatorOf(vars: OperatorVariables): OperatorConfig {
  return {
    name: vars.OPERATOR_NAME ?? null,
    contact: vars.OPERATOR_CONTACT ?? null,
    imprintUrl: vars.OPERATOR_IMPRINT_URL ?? null,
    privacyUrl: vars.OPERATOR_PRIVACY_URL ?? null,
  };
}

const mostCharacters = 100;

export function parseOperatorName(text: string): string {
  const isShort = [...text].length <= mostCharacters;
  if (isShort && text.isWellFormed() && text.trim() === text && !/\p{C}/u.test(text)) return text;
  throw new Mistake(
    `must be a name of at most ${mostCharacters} characters, without invisible characters`,
  );
}

/** An email address, or the URL of a page with ways to reach the operator. */
export function parseContact(text: string): string {
  if (/^[^\s@<>"]{1,64}@[a-z0-9.-]{1,190}$/i.test(text)) return `mailto:${encodeURI(text)}`;
  return parsePageUrl(text, 'an email address, or a URL like https://example.com/contact');
}

export function parsePageUrl(text: string, form = 'a URL like https://example.com/imprint') {
  const url = parseUrl(text, ['https:', 'http:'], form);
  if (url.username !== '' || url.password !== '') throw new Mistake(`must be ${form}`);
  if (url.href.length > 500) throw new Mistake('must have at most 500 characters');
  return url.href;
}
