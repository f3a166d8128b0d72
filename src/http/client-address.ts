import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Whose requests are believed to be made for others: these networks (`192.0.2.0/24`), or so many hops. */
export type TrustedProxies = number | readonly string[];

/** Tells whose request it is, as text to count by: an IPv4 address, or the /64 of an IPv6 one. */
export type AddressReader = (req: Pick<IncomingMessage, 'socket' | 'headers'>) => string;

/**
 * The address is the connection's, or, where that is a trusted proxy's, the last one that it names in
 * `X-Forwarded-For`, and so on, as long as the one who says it is trusted. What others say there
 * counts for nothing.
 */
export function createAddressReader(trusted: TrustedProxies): AddressReader {
  const isTrusted = typeof trusted === 'number' ? hops(trusted) : networks(trusted);
  return ({ socket, headers }) => {
    let address = parseAddress(socket.remoteAddress ?? '');
    // Several such headers are one list; node joins them.
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
    for (let hop = 0; address !== null && isTrusted(address, hop); hop += 1) {
      const named = parseAddress(withoutPort(forwarded.pop()?.trim() ?? ''));
      // A proxy that does not say for whom it asks is itself the one who asks.
      if (named === null) break;
      address = named;
    }
    return address === null ? 'unknown' : subscriber(address);
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

/** Null if it is none. An IPv4 address that is written as an IPv6 one is an IPv4 address. */
function parseAddress(text: string): Address | null {
  return isIP(text) === 0 ? null : ipaddr.process(text);
}

/** Some proxies add it: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  const [, v6, v4] = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text) ?? [];
  return v6 ?? v4 ?? text;
}

/** Who has one address of a /64 has all of them. */
function subscriber(address: Address): string {
  if (address.kind() === 'ipv4') return address.toString();
  const network = address.toByteArray().map((byte, place) => (place < 8 ? byte : 0));
  return `${ipaddr.fromByteArray(network)}/64`;
}
