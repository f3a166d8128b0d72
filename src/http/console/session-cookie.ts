import { isPersonToken } from '../../domain/person/invitation-token.ts';
import type { ConsoleSite } from './console-site.ts';
import { readCookie } from './read-cookie.ts';

/** The session's token in the request's cookies; null if there is none of its form. */
export function readSessionCookie(header: string | undefined, site: ConsoleSite): string | null {
  return readCookie(header, site.cookie, isPersonToken);
}

/** `Set-Cookie` of a session that ends in so many seconds; 0 removes the cookie. */
export function sessionCookie(token: string, site: ConsoleSite, maxAgeSeconds: number): string {
  const secure = site.isHttps ? '; Secure' : '';
  return `${site.cookie}=${token}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
}
