import { BlockList, isIPv4 } from 'node:net';

/** All of IPv4 as it stands in IPv6 (RFC 4291 section 2.5.5.2): a range of IPv6 that holds some of it holds those IPv4 addresses. */
const MAPPED = '::ffff:0:0';
const MAPPED_PREFIX = 96;

/**
 * How long the prefix of a range is by the IPv4 addresses that it holds: 0 where it holds all of them.
 * @param range an address or a CIDR range of either family
 * @returns undefined where it holds none
 */
export function findIpv4PrefixLength(range: string): number | undefined {
  const [address = '', prefix] = range.split('/');
  if (isIPv4(address)) return Number(prefix ?? 32);
  const length = Number(prefix ?? 128);
  const inCommon = new BlockList();
  inCommon.addSubnet(MAPPED, Math.min(length, MAPPED_PREFIX), 'ipv6');
  return inCommon.check(address, 'ipv6') ? Math.max(0, length - MAPPED_PREFIX) : undefined;
}
