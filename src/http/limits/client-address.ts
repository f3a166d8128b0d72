import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Trusted proxies: their networks (`192.0.2.0/24`), or the number of hops. */
export type TrustedProxies = number | readonly string[];

/**
 * Returns the client's address as a key for counting: an IPv4 address, or the /64 of an IPv6
 * address.
 */
export type AddressReader = (req: Pick<IncomingMessage, 'socket' | 'headers'>) => string;

/** Counts by the address that `createClientReader` finds. */
export function createAddressReader(trusted: TrustedProxies): AddressReader {
  const read = createClientReader(trusted);
  return (req) => {
    const address = read(req);
    return address === null ? 'unknown' : subscriber(address);
  };
}

/**
 * Finds the client's address; null if there is none, as after a connection broke.
 * Starts with the address of the connection. While the address is a trusted proxy's, continues with
 * the client that this proxy names in `X-Forwarded-For`, last entry first. Other entries are
 * ignored.
 */
export function createClientReader(
  trusted: TrustedProxies,
): (req: Pick<IncomingMessage, 'socket' | 'headers'>) => Address | null {
  const isTrusted = typeof trusted === 'number' ? hops(trusted) : networks(trusted);
  return ({ socket, headers }) => {
    let address = parseAddress(socket.remoteAddress ?? '');
    // Node joins several such headers into one list.
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
    for (let hop = 0; address !== null && isTrusted(address, hop); hop += 1) {
      const named = parseAddress(withoutPort(forwarded.pop()?.trim() ?? ''));
      // A proxy that names no client counts as the client.
      if (named === null) break;
      address = named;
    }
    return address;
  };
}

function hops(count: number) {
  return (_address: Address, hop: number): boolean => hop < count;
}

function networks(cidrs: readonly string[]) {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [network, bits] = ipaddr.parseCIDR(cidr);
    list.addSubnet(network.toString(), bits, network.kind());
  }
  return (address: Address): boolean => list.check(address.toString(), address.kind());
}

/**
 * Parses an address; null if malformed. An IPv4 address in IPv6 notation becomes an IPv4 address.
 */
export function parseAddress(text: string): Address | null {
  return isIP(text) === 0 ? null : ipaddr.process(text);
}

/** Removes the port that some proxies add: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  const [, v6, v4] = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text) ?? [];
  return v6 ?? v4 ?? text;
}

/** Address to count by. A subscriber has all addresses of an IPv6 /64. */
function subscriber(address: Address): string {
  if (address.kind() === 'ipv4') return address.toString();
  const network = address.toByteArray().map((byte, index) => (index < 8 ? byte : 0));
  return `${ipaddr.fromByteArray(network)}/64`;
}
