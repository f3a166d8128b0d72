import { ProofmarkError } from '../errors.ts';

/** Address of a service without a trailing slash. Throws INVALID_OPTION for anything but http and https. */
export function addressOf(server: string): string {
  const url = URL.canParse(server) ? new URL(server) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '') {
    throw new ProofmarkError('INVALID_OPTION', 'server: must be an http or https URL');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Path of the keyed calls. Pages of other origins may only use the mirror of the API. */
export function baseFor(server: string): string {
  const { location } = globalThis as { readonly location?: { readonly origin: string } };
  const isForeign = location !== undefined && new URL(server).origin !== location.origin;
  return isForeign ? '/api/public/v1' : '/api/v1';
}
