import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { EventMeta } from '../../event-store/stored-event.ts';
import { type Address, createClientReader, type TrustedProxies } from './client-address.ts';

/** How much of a client's address is recorded with the events of its calls. */
export type AddressForm = 'off' | 'truncated' | 'hash' | 'full';

/** Returns the address of a request as it is to be recorded; undefined if none is. */
export type AddressRecorder = (
  req: Pick<IncomingMessage, 'socket' | 'headers'>,
) => EventMeta['client'];

/** Records addresses in this form. Trusts the same proxies as the limits of requests. */
export function createAddressRecorder(form: AddressForm, trusted: TrustedProxies): AddressRecorder {
  if (form === 'off') return () => undefined;
  const read = createClientReader(trusted);
  return (req) => {
    const address = read(req);
    if (address === null) return undefined;
    return form === 'truncated'
      ? { address: truncatedAddress(address), hashed: false }
      : { address: wholeAddress(address), hashed: form === 'hash' };
  };
}

/** The address in one notation (RFC 5952 for IPv6). */
export function wholeAddress(address: Address): string {
  return address instanceof ipaddr.IPv6 ? address.toRFC5952String() : address.toString();
}

/** Network of many subscribers: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export function truncatedAddress(address: Address): string {
  const bytes = address.kind() === 'ipv4' ? 3 : 6;
  const network = address.toByteArray().map((byte, index) => (index < bytes ? byte : 0));
  return `${wholeAddress(ipaddr.fromByteArray(network))}/${bytes * 8}`;
}
