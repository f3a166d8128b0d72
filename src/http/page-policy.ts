import type { IncomingHttpHeaders } from 'node:http';

/**
 * The Content-Security-Policy of a page. Nothing is loaded from, sent to or framed by anybody else; no
 * form is sent at all; scripts may ask for public verification and for nothing else, and may put no
 * text into a page as HTML.
 */
export function pagePolicy({ host }: IncomingHttpHeaders, publicUrl: string): string {
  const addresses = addressesOf('/api/public/verify/', host, publicUrl);
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

/**
 * That of the reference: scripts may ask for the OpenAPI document and for nothing else. Its package
 * puts descriptions, which are ours, into the page as HTML.
 */
export function referencePolicy({ host }: IncomingHttpHeaders, publicUrl: string): string {
  const addresses = addressesOf('/api/v1/openapi.json', host, publicUrl);
  return policy({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': 'data:',
    'connect-src': addresses.length > 0 ? addresses.join(' ') : "'self'",
    'form-action': "'none'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
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
 * Where a path of ours is, as source expressions with it, which `'self'` cannot have: below the
 * host that was asked for, and at the public address, since a proxy may ask by another name and
 * path than the browser. A host that no policy can name, as an IPv6 address, is left out.
 */
function addressesOf(path: string, host: string | undefined, publicUrl: string): string[] {
  const known = new URL(publicUrl);
  const places = [host ?? '', `${known.host}${known.pathname.replace(/\/+$/, '')}`];
  const plain = places.filter((place) => plainHost.test(place.replace(/\/.*$/, '')));
  return [...new Set(plain)].map((place) => `${place}${path}`);
}

function policy(directives: Readonly<Record<string, string>>): string {
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}
