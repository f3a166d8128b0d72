import type { IncomingHttpHeaders } from 'node:http';

/**
 * Content-Security-Policy of a page. Nothing is loaded from, sent to or framed by other sites, and
 * no form is sent. Scripts may request public verification only, and may not insert text as HTML.
 */
export function pagePolicy(headers: IncomingHttpHeaders, publicUrl: string): string {
  return scriptedPolicy(['/api/public/verify/', '/log/certificates/'], headers, publicUrl);
}

/** Content-Security-Policy of the home page. Its scripts may also request the sample. */
export function homePolicy(headers: IncomingHttpHeaders, publicUrl: string): string {
  return scriptedPolicy(
    ['/api/public/verify/', '/log/certificates/', '/pages/sample/'],
    headers,
    publicUrl,
  );
}

/**
 * Content-Security-Policy of a shared proof's page. Its scripts may also request its own bundle, and
 * it shows its own badge.
 */
export function sharedPolicy(
  token: string,
  headers: IncomingHttpHeaders,
  publicUrl: string,
): string {
  const paths = ['/api/public/verify/', '/log/certificates/', `/shared/${token}/bundle.json`];
  return scriptedPolicy(paths, headers, publicUrl, "'self' data:");
}

/** Content-Security-Policy of the explorer. Its scripts may request the published log only. */
export function logPolicy(headers: IncomingHttpHeaders, publicUrl: string): string {
  return scriptedPolicy(['/log/'], headers, publicUrl);
}

function scriptedPolicy(
  paths: readonly string[],
  { host }: IncomingHttpHeaders,
  publicUrl: string,
  images = 'data:',
): string {
  const addresses = paths.flatMap((path) => addressesOf(path, host, publicUrl));
  return policy({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': images,
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
 * Content-Security-Policy of the reference. Its scripts may call this service, and no other. They
 * may not insert text as HTML.
 */
export const referencePolicy = policy({
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': 'data:',
  'connect-src': "'self'",
  'form-action': "'none'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
});

/**
 * Content-Security-Policy of scripts, in force when a script runs as a worker. A worker may load
 * its modules, and send nothing.
 */
export const workerPolicy = policy({
  'default-src': "'none'",
  'script-src': "'self'",
  'frame-ancestors': "'none'",
});

/**
 * Content-Security-Policy of the script that asks a ledger server of the reader's choice. It may
 * connect to this server alone. Null for an address that is none of a server of the ledger.
 */
export function serverPolicy(server: string): string | null {
  const [, host = ''] = /^(?:ws|http)s?:\/\/([^/]*)$/.exec(server) ?? [];
  if (!plainHost.test(host)) return null;
  return policy({
    'default-src': "'none'",
    'script-src': "'self'",
    'connect-src': server,
    'frame-ancestors': "'none'",
  });
}

/** Host allowed in a policy: a name or an IPv4 address, with or without a port. */
const plainHost = /^[a-z0-9]([a-z0-9.-]{0,252}[a-z0-9])?(:\d{1,5})?$/i;

/**
 * Source expressions for a path of this service, since `'self'` cannot have a path. Names the
 * requested host and the public address: a proxy may use another host and path than the browser.
 * Leaves out hosts that a policy cannot name, such as IPv6 addresses.
 */
function addressesOf(path: string, host: string | undefined, publicUrl: string): string[] {
  const known = new URL(publicUrl);
  const sources = [host ?? '', `${known.host}${known.pathname.replace(/\/+$/, '')}`];
  const plain = sources.filter((source) => plainHost.test(source.replace(/\/.*$/, '')));
  return [...new Set(plain)].map((source) => `${source}${path}`);
}

function policy(directives: Readonly<Record<string, string>>): string {
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}
