import { isIP } from 'node:net';
import type { EndpointRules } from './contract.ts';
import { isPublicAddress } from './public-address.ts';

/**
 * What is wrong with the URL of an endpoint as far as it tells by itself, in words that follow its
 * name; null if nothing is. The address of a name is looked at wherever it is resolved.
 */
export function checkUrl(text: string, rules: EndpointRules): string | null {
  // The parser would pass over what people do not see, and mend what is no absolute URL.
  if (/[\s\p{C}]/u.test(text)) return 'must not hold spaces or control characters';
  if (!/^https?:\/\/[^/\\]/i.test(text) || !URL.canParse(text))
    return 'must be an absolute HTTPS URL';
  const url = new URL(text);
  if (url.protocol === 'http:' && !rules.allowHttp) return 'must be an absolute HTTPS URL';
  if (url.username !== '' || url.password !== '') return 'must not hold credentials';
  if (rules.ports !== null && !rules.ports.includes(portOf(url))) {
    return `must use port ${rules.ports.join(' or ')}`;
  }
  const host = hostOf(url);
  if (rules.allowPrivate) return null;
  const isLocal = isIP(host) === 0 ? isLoopbackName(host) : !isPublicAddress(host);
  return isLocal ? privateHost : null;
}

export const privateHost = 'must name a host with a public address';

/**
 * The host to connect to. Addresses come out of the parser in one form, whatever form they were
 * written in: decimal, octal, hexadecimal, with fewer parts.
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
