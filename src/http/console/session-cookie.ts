import { isPersonToken } from '../../domain/person/invitation-token.ts';
import type { ConsoleSite } from './console-site.ts';

/** The session's token in the request's cookies; null if there is none of its form. */
export function readSessionCookie(header: string | undefined, site: ConsoleSite): string | null {
  for (const pair of (header ?? '').split(';')) {
    const [name, value = ''] = pair.trim().split('=');
    if (name === site.cookie && isPersonToken(value)) return value;
  }
  return null;
}

/** `Set-Cookie` of a session that ends in so many seconds; 0 removes the cookie. */
export function sessionCookie(token: string, site: ConsoleSite, maxAgeSeconds: number): string {
  const secure = site.isHttps ? '; Secure' : '';
  return `${site.cookie}=${token}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
}
