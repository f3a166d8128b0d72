import ipaddr from 'ipaddr.js';

/**
 * True if an IP address is publicly routable: not of this machine, its networks, its cloud or any
 * special use. An IPv4-mapped IPv6 address is judged as its IPv4 address. Every other form that embeds IPv4
 * (NAT64, 6to4, Teredo, IPv4-compatible) is special.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast' || ofPlatform.has(parsed.toString())) return false;
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast);
}

/**
 * Public addresses that lead into a machine's cloud: Azure's wire server (Microsoft Learn, "What is IP
 * address 168.63.129.16?"). Other clouds use special ranges for this.
 */
const ofPlatform: ReadonlySet<string> = new Set(['168.63.129.16']);

/** The only range assigned to hosts so far (IANA, IPv6 address space); the rest is reserved. */
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];
