import { isIP, isIPv4 } from 'node:net';

const NETWORK_GROUPS = 4;
const ALL_GROUPS = 8;

/**
 * The network that counts as one source, as for the limits of requests: an IPv4 address, or the /64 of an IPv6 address (RFC 6177:
 * the least that a site gets).
 *
 * @param address the address of a call, as text
 * @returns a key for comparing; undefined where the call came from no address
 */
export function sourceNetwork(address: string): string | undefined {
  if (isIP(address) === 0 || address.includes('%')) return undefined;
  if (isIPv4(address)) return address;
  // The URL parser writes the one spelling that RFC 5952 leaves.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const zeros = new Array<string>(ALL_GROUPS - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].slice(0, NETWORK_GROUPS).join(':');
}
