import { BlockList, isIP, isIPv4 } from 'node:net';

/**
 * Compiles the list of trusted proxies.
 *
 * @param entries addresses and CIDR ranges, IPv4 and IPv6
 * @throws {RangeError} an entry is neither
 */
export function parseTrustedProxies(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) addEntry(list, entry);
  return list;
}

/**
 * Returns the client's address: the nearest one that is not a trusted proxy. `X-Forwarded-For` is read from right to left, and only as far
 * as trusted proxies wrote it, because a client can forge the rest. No other header is used. A port after an address is ignored.
 *
 * @param remoteAddress the peer of the connection
 * @param forwardedFor the `X-Forwarded-For` header; several headers joined with commas, in order
 * @returns an IPv4 or IPv6 address, IPv4-mapped ones as IPv4; '' if the peer is unknown
 */
export function findClientAddress(
  remoteAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: BlockList,
): string {
  let nearest = readAddress(remoteAddress ?? '') ?? '';
  for (const hop of forwardedFor?.split(',').reverse() ?? []) {
    if (!isTrusted(nearest, trustedProxies)) break;
    const next = readAddress(hop);
    // If a trusted proxy does not name its client, the proxy is the nearest known address.
    if (next === undefined) break;
    nearest = next;
  }
  return nearest;
}

/**
 * Returns the network that counts as one client: an IPv4 address, or the /64 of an IPv6 address. One host can use all of a /64, the
 * smallest assignment to a site (RFC 6177).
 *
 * @returns a key for comparison, '' for invalid addresses
 */
export function toClientNetwork(address: string): string {
  const plain = readAddress(address);
  if (plain === undefined) return '';
  if (isIPv4(plain)) return plain;
  return listNetworkGroups(plain).join(':');
}

/** Whether the peer of a connection is a trusted proxy. */
export function isTrustedProxy(remoteAddress: string | undefined, trustedProxies: BlockList): boolean {
  return isTrusted(readAddress(remoteAddress ?? '') ?? '', trustedProxies);
}

// As written by a socket that listens for both families.
const MAPPED = '::ffff:';
/** As the URL parser writes it. */
const COMPRESSED_MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;
const WITH_PORT = /^(?:\[(?<v6>[0-9a-f:.]+)\]|(?<v4>\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/i;
const NETWORK_GROUPS = 4;
const ALL_GROUPS = 8;

function addEntry(list: BlockList, entry: string): void {
  const [text = '', prefix, ...rest] = entry.split('/');
  const family = isIPv4(text) ? 'ipv4' : 'ipv6';
  const bits = family === 'ipv4' ? 32 : 128;
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (isIP(text) === 0 || rest.length > 0 || !(length <= bits)) {
    throw new RangeError(`trustedProxies: ${entry} is no address or CIDR range`);
  }
  list.addSubnet(text, length, family);
}

function isTrusted(address: string, trustedProxies: BlockList): boolean {
  return trustedProxies.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

function readAddress(text: string): string | undefined {
  // Most addresses are one of these two, and need no further parsing.
  const plain = text.startsWith(MAPPED) ? text.slice(MAPPED.length) : text;
  if (isIPv4(plain)) return plain;
  const trimmed = text.trim();
  const groups = WITH_PORT.exec(trimmed)?.groups;
  const withoutZone = (groups?.v6 ?? groups?.v4 ?? trimmed).replace(/%.*$/, '');
  if (isIP(withoutZone) === 0) return undefined;
  return isIPv4(withoutZone) ? withoutZone : (toMappedIPv4(withoutZone) ?? withoutZone);
}

function toMappedIPv4(address: string): string | undefined {
  const groups = COMPRESSED_MAPPED.exec(compressIPv6(address));
  if (groups === null) return undefined;
  const [, high = '', low = ''] = groups;
  const value = Number.parseInt(high, 16) * 0x1_0000 + Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff).join('.');
}

/** The canonical form of RFC 5952, which the URL parser produces. */
function compressIPv6(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

function listNetworkGroups(address: string): readonly string[] {
  const text = compressIPv6(address);
  const zeros = '0:'.repeat(ALL_GROUPS - splitGroups(text).length);
  return splitGroups(text.replace('::', `:${zeros}`)).slice(0, NETWORK_GROUPS);
}

function splitGroups(text: string): readonly string[] {
  return text.split(':').filter((group) => group !== '');
}
