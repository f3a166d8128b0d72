import { AddressNotAllowed } from './checked-lookup.ts';
import type { WebhookTrouble } from './contract.ts';
import { NameNotResolved } from './resolve-host.ts';

/** Maps an error of a request to its public reason. Its text may quote addresses: never show it. */
export function troubleOf(error: unknown): WebhookTrouble {
  if (error instanceof AddressNotAllowed) return 'address not allowed';
  if (error instanceof NameNotResolved) return 'name not resolved';
  if (!(error instanceof Error)) return 'connection lost';
  const code = 'code' in error ? String(error.code) : '';
  if (unreachable.has(code)) return 'unreachable';
  if (code.startsWith('HPE_')) return 'malformed answer';
  if (tls.test(code)) return 'tls failed';
  if (error.cause !== undefined) return troubleOf(error.cause);
  return 'connection lost';
}

const unreachable = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ETIMEDOUT',
  'EADDRNOTAVAIL',
]);

/** Node's own codes and those of OpenSSL's verification (node: doc/api/tls.md, X509 errors). */
const tls =
  /^(ERR_TLS|ERR_SSL|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_|INVALID_CA|EPROTO)/;
