import ipaddr from 'ipaddr.js';

/**
 * Whether an IP address is one that anybody on the Internet may have: not one of this machine, of
 * its networks or of any special use. An IPv4-mapped IPv6 address is judged as the IPv4 address that
 * it is; every other form that carries one (NAT64, 6to4, Teredo, IPv4-compatible) is special.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast);
}

/** All that is allotted to hosts so far (IANA, IPv6 address space); the rest is reserved. */
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];
