import { isIP, isIPv4 } from 'node:net';

const GROUP_BITS = 16;
const ALL_GROUPS = 8;

/** A network that counts as a source of messages. */
export interface SourceNetwork {
  /** For example `2001:db8:1:200::/56`. */
  readonly key: string;
  /** A multiple of the narrowest network's share, because more people use a wider network. */
  readonly shares: number;
}

/** Providers assign at least this much to one customer (RFC 6177), who can use all of its addresses. */
const IPV6_NETWORKS = [
  { bits: 64, shares: 1 },
  { bits: 56, shares: 2 },
  { bits: 48, shares: 4 },
] as const;

/**
 * The networks that count as the source of a call, narrowest first: the /64, /56 and /48 of an IPv6 address; an IPv4 address and its /24.
 *
 * @param address the address of a call, as text
 * @returns an empty list for a call without an address
 */
export function listSourceNetworks(address: string): readonly SourceNetwork[] {
  if (isIP(address) === 0 || address.includes('%')) return [];
  if (isIPv4(address)) {
    return [
      { key: address, shares: 1 },
      { key: address.replace(/\d+$/, '0/24'), shares: 4 },
    ];
  }
  const groups = parseIpv6Groups(address);
  return IPV6_NETWORKS.map(({ bits, shares }) => ({ key: formatIpv6Prefix(groups, bits), shares }));
}

/**
 * The network whose guesses at one user are counted together: the /24 of an IPv4 address or the /48 of an IPv6 address. One customer often
 * controls a whole /48, with 65,536 networks of 64 bits.
 *
 * @param address the address of a call, as text
 * @returns undefined for a call without an address
 */
export function toGuessNetwork(address: string): string | undefined {
  return listSourceNetworks(address).at(-1)?.key;
}

function parseIpv6Groups(address: string): readonly number[] {
  // The URL parser produces the canonical form of RFC 5952.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const zeros = new Array<string>(ALL_GROUPS - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
}

function formatIpv6Prefix(groups: readonly number[], bits: number): string {
  const kept = groups.slice(0, Math.ceil(bits / GROUP_BITS)).map((group, at) => {
    const keptBits = Math.min(GROUP_BITS, bits - at * GROUP_BITS);
    return ((group >> (GROUP_BITS - keptBits)) << (GROUP_BITS - keptBits)).toString(16);
  });
  return `${kept.join(':')}::/${bits}`;
}
