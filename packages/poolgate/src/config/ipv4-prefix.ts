import { BlockList, isIPv4 } from 'node:net';

/** IPv4 within IPv6 (RFC 4291 section 2.5.5.2). An IPv6 range that overlaps it contains those IPv4 addresses. */
const MAPPED = '::ffff:0:0';
const MAPPED_PREFIX = 96;

/**
 * Returns the prefix length of the IPv4 addresses in a range: 0 if it contains all of them.
 * @param range an address or a CIDR range of either family
 * @returns undefined if it contains none
 */
export function findIpv4PrefixLength(range: string): number | undefined {
  const [address = '', prefix] = range.split('/');
  if (isIPv4(address)) return Number(prefix ?? 32);
  const length = Number(prefix ?? 128);
  const inCommon = new BlockList();
  inCommon.addSubnet(MAPPED, Math.min(length, MAPPED_PREFIX), 'ipv6');
  return inCommon.check(address, 'ipv6') ? Math.max(0, length - MAPPED_PREFIX) : undefined;
}
