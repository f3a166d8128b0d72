import type { IncomingHttpHeaders } from 'node:http';

/**
 * The Content-Security-Policy of a page. Nothing is loaded from, sent to or framed by anybody else; no
 * form is sent at all; scripts may ask for public verification and for nothing else, and may put no
 * text into a page as HTML.
 */
export function pagePolicy({ host }: IncomingHttpHeaders, publicUrl: string): string {
  const addresses = verificationAddresses(host, publicUrl);
  return policy({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': 'data:',
    'connect-src': addresses.length > 0 ? addresses.join(' ') : "'self'",
    'worker-src': "'self'",
    'form-action': "'none'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': 'proofmark',
  });
}

/** Of scripts, which holds where one runs as a worker: it may load its modules, and send nothing. */
export const workerPolicy = policy({
  'default-src': "'none'",
  'script-src': "'self'",
  'frame-ancestors': "'none'",
});

/** What may stand in a policy: a name or an IPv4 address, with or without a port. */
const plainHost = /^[a-z0-9]([a-z0-9.-]{0,252}[a-z0-9])?(:\d{1,5})?$/i;

/**
 * Where public verification is, as source expressions with a path, which `'self'` cannot have: below
 * the host that was asked for, and at the public address, since a proxy may ask by another name and
 * path than the browser. A host that no policy can name, as an IPv6 address, is left out.
 */
function verificationAddresses(host: string | undefined, publicUrl: string): string[] {
  const known = new URL(publicUrl);
  const places = [host ?? '', `${known.host}${known.pathname.replace(/\/+$/, '')}`];
  const plain = places.filter((place) => plainHost.test(place.replace(/\/.*$/, '')));
  return [...new Set(plain)].map((place) => `${place}/api/public/verify/`);
}

function policy(directives: Readonly<Record<string, string>>): string {
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}
