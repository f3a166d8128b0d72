import { isIPv6, type LookupFunction } from 'node:net';
import type { ResolveHost } from './resolve-host.ts';

/** Returns true if connecting to an IP address is allowed. */
export type CheckAddress = (address: string) => boolean;

/** The address must not be reached from here. */
export class AddressNotAllowed extends Error {
  constructor(address: string) {
    super(`${address} must not be reached`);
    this.name = 'AddressNotAllowed';
  }
}

/**
 * The look-up of `net.connect`, called for every connection to a name, but not for a host that is
 * an address; only the returned addresses are connected to. If one of the addresses is not allowed,
 * none is.
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
