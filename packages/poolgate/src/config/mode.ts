import { BlockList, isIP, isIPv4 } from 'node:net';

/** The rules of a start: development creates what is missing, production refuses instead. */
export type Mode = 'development' | 'production';

const stripBrackets = (host: string): string => host.toLowerCase().replace(/^\[(.*)\]$/, '$1');

/** Whether a host name or address (IPv6 brackets allowed) is this machine and unreachable for others. */
export function isLoopback(host: string): boolean {
  const name = stripBrackets(host);
  return name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'));
}

const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv6');
}

/** A name without dots, as containers have, or one outside of public DNS (RFC 6761, RFC 6762, RFC 8375, ICANN's .internal). */
const PRIVATE_NAME = /^(?:[^.]+|.+\.(?:localhost|test|local|internal|home\.arpa))$/;

/** What {@link isPrivateHost} accepts, in words for people. */
export const PRIVATE_HOSTS_TEXT =
  'localhost, a private address such as 192.168.1.10, a container name without dots, or a name that ends in .localhost, .test, .local, .internal or .home.arpa';

/** Whether a host cannot be public: this machine, a private network, or a name that only such a network resolves. */
function isPrivateHost(host: string): boolean {
  const name = stripBrackets(host);
  const family = isIP(name);
  if (family === 0) return PRIVATE_NAME.test(name);
  return isLoopback(name) || PRIVATE.check(name, family === 4 ? 'ipv4' : 'ipv6');
}

/** The facts that decide the mode. */
export interface ModeFacts {
  readonly nodeEnv: string | undefined;
  readonly host: string;
  readonly baseUrl: string | undefined;
  /** `POOLGATE_DEVELOPMENT`: development although others can reach it. */
  readonly development: boolean;
}

const parseHost = (baseUrl: string): string => new URL(baseUrl).hostname;

/** Whether others can reach the service, as far as the configuration shows. */
function isReachableByOthers({ host, baseUrl }: ModeFacts): boolean {
  return !isLoopback(host) || (baseUrl !== undefined && !isLoopback(parseHost(baseUrl)));
}

/** Why production rules apply to a start; empty in development. */
export function listProductionReasons(facts: ModeFacts): readonly string[] {
  const reasons: string[] = [];
  if (facts.nodeEnv === 'production') reasons.push('NODE_ENV is production');
  if (facts.development) return reasons;
  if (!isLoopback(facts.host)) reasons.push('HOST is not a loopback address');
  if (facts.baseUrl !== undefined && !isLoopback(parseHost(facts.baseUrl))) {
    reasons.push('the host of BASE_URL is not loopback');
  }
  return reasons;
}

/** Whether others can reach a development start, so that local callers are not trusted. */
export function isExposedDevelopment(facts: ModeFacts): boolean {
  return facts.development && isReachableByOthers(facts);
}

/** Why `POOLGATE_DEVELOPMENT=true` is not allowed; undefined if it is. */
export function findDevelopmentProblem({ development, nodeEnv, baseUrl }: ModeFacts): string | undefined {
  if (!development) return undefined;
  if (nodeEnv === 'production') return 'is true, and NODE_ENV is production';
  const isPublic = baseUrl !== undefined && !isPrivateHost(parseHost(baseUrl));
  return isPublic ? 'is true, and BASE_URL is a public address' : undefined;
}
