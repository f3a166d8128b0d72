import { isIP } from 'node:net';
import type { EndpointRules } from './contract.ts';
import { isPublicAddress } from './public-address.ts';

/**
 * Checks the URL of an endpoint without resolving its host name. Returns the mistake in words that
 * follow the URL's name, or null. Addresses are checked when a name is resolved.
 */
export function checkUrl(text: string, rules: EndpointRules): string | null {
  // The URL parser would ignore invisible characters and repair URLs that are not absolute.
  if (/[\s\p{C}]/u.test(text)) return 'must not contain spaces or control characters';
  if (!/^https?:\/\/[^/\\]/i.test(text) || !URL.canParse(text))
    return 'must be an absolute HTTPS URL';
  const url = new URL(text);
  if (url.protocol === 'http:' && !rules.allowHttp) return 'must be an absolute HTTPS URL';
  if (url.username !== '' || url.password !== '') return 'must not contain credentials';
  if (rules.ports !== null && !rules.ports.includes(portOf(url))) {
    return `must use port ${rules.ports.join(' or ')}`;
  }
  const host = hostOf(url);
  if (rules.allowPrivate) return null;
  const isLocal = isIP(host) === 0 ? isLoopbackName(host) : !isPublicAddress(host);
  return isLocal ? privateHost : null;
}

export const privateHost = 'must name a host with a public IP address';

/**
 * The host to connect to. The parser normalises addresses written in decimal, octal, hexadecimal or
 * with fewer parts.
 */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/** Names that never leave this machine (RFC 6761, 6.3). */
function isLoopbackName(host: string): boolean {
  return /(^|\.)localhost\.?$/.test(host);
}
