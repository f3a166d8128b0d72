import { isIPv6, type LookupFunction } from 'node:net';
import type { ResolveHost } from './resolve-host.ts';

/** Whether an IP address may be connected to. */
export type CheckAddress = (address: string) => boolean;

/** An address that must not be reached from here. */
export class AddressNotAllowed extends Error {
  constructor(address: string) {
    super(`${address} must not be reached`);
    this.name = 'AddressNotAllowed';
  }
}

/**
 * The look-up of `net.connect`: it is asked whenever a connection to a name is made, and connects to
 * nothing else than what this answers. If one of the addresses is not allowed, none is. It is not
 * asked for hosts that are addresses themselves.
 */
export function lookupOf(resolve: ResolveHost, isAllowed: CheckAddress): LookupFunction {
  return (host, options, callback) => {
    const refuse = (error: Error) => callback(error, '', 0);
    resolve(host).then((addresses) => {
      const barred = addresses.find((address) => !isAllowed(address));
      if (barred !== undefined) return refuse(new AddressNotAllowed(barred));
      const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
      const [first] = found;
      if (first === undefined) return refuse(new Error(`${host} has no address`));
      if (options.all) callback(null, found);
      else callback(null, first.address, first.family);
    }, refuse);
  };
}
