import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * Non-public IPv4: this host, private, shared (carrier NAT), loopback, link-local (where clouds serve credentials), protocol assignments,
 * documentation, relays, benchmarks, multicast, reserved, broadcast.
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry
 */
const NOT_PUBLIC_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/**
 * The only part of IPv6 that is assigned to the public internet. It excludes loopback, mapped (`::ffff:0:0/96`) and translated
 * (`64:ff9b::/96`) IPv4, unique local, link-local, site-local and multicast addresses.
 * @see https://www.iana.org/assignments/ipv6-address-space
 */
const GLOBAL_IPV6 = ['2000::', 3] as const;

/**
 * Parts of it that are not public, or contain an IPv4 address that would need its own check: protocol assignments with Teredo,
 * documentation, 6to4.
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 */
const NOT_PUBLIC_IPV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const notPublicIpv4 = new BlockList();
for (const [network, prefix] of NOT_PUBLIC_IPV4) notPublicIpv4.addSubnet(network, prefix, 'ipv4');

const globalIpv6 = new BlockList();
globalIpv6.addSubnet(...GLOBAL_IPV6, 'ipv6');

const notPublicIpv6 = new BlockList();
for (const [network, prefix] of NOT_PUBLIC_IPV6) notPublicIpv6.addSubnet(network, prefix, 'ipv6');

/** Whether an address, as a socket accepts it, belongs to the public internet. Every other input is not public. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublicIpv4.check(address, 'ipv4');
  // An address with a zone belongs to one link.
  if (!isIPv6(address) || address.includes('%')) return false;
  return globalIpv6.check(address, 'ipv6') && !notPublicIpv6.check(address, 'ipv6');
}
