import { Secret } from './secret.ts';
import { Mistake, parseUrl } from './variable.ts';

/** A provider by which people sign in to the console (OpenID Connect). */
export interface IdentityProviderConfig {
  readonly issuer: string;
  readonly clientId: string;
  /** Null: a client without a secret. */
  readonly clientSecret: Secret<string> | null;
  /** Name for people. */
  readonly name: string;
}

/** The provider of the variables; null without one. */
export function identityProviderOf(given: {
  readonly OIDC_ISSUER?: string | undefined;
  readonly OIDC_CLIENT_ID?: string | undefined;
  readonly OIDC_CLIENT_SECRET?: string | undefined;
  readonly OIDC_NAME?: string | undefined;
}): IdentityProviderConfig | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: secret } = given;
  if (issuer === undefined || clientId === undefined) return null;
  const name = given.OIDC_NAME ?? new URL(issuer).hostname;
  const clientSecret = secret === undefined ? null : new Secret(secret);
  return { issuer, clientId, clientSecret, name };
}

const thisMachine = ['localhost', '127.0.0.1', '[::1]'];

/** The issuer exactly as it names itself: also a slash at its end counts. */
export function parseIssuer(text: string): string {
  const form = 'a URL like https://accounts.example.com, without user, query and fragment';
  const url = parseUrl(text, ['https:', 'http:'], form);
  if (url.username + url.password + url.search + url.hash !== '')
    throw new Mistake(`must be ${form}`);
  if (url.protocol === 'http:' && !thisMachine.includes(url.hostname)) {
    throw new Mistake('must begin with https://, since passwords and codes are sent there');
  }
  if (text.length > 200) throw new Mistake('must have at most 200 characters');
  return text;
}

export function parseClientId(text: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(text)) return text;
  throw new Mistake('must have 1 to 255 characters of ASCII, without spaces');
}

export function parseProviderName(text: string): string {
  if ([...text].length <= 60 && text.isWellFormed() && !/\p{Cc}/u.test(text)) return text;
  throw new Mistake('must be a name of at most 60 characters, without control characters');
}
