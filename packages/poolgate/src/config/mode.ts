import { isIPv4 } from 'node:net';

/** The rules of a start: development makes what is missing, production refuses instead. */
export type Mode = 'development' | 'production';

/** Whether a host name or address (brackets of IPv6 allowed) means this machine and nobody else can reach it. */
function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'));
}

interface ModeFacts {
  readonly nodeEnv: string | undefined;
  readonly host: string;
  readonly baseUrl: string | undefined;
}

/** Why a start is under the rules of production; empty in development. */
export function productionReasons(facts: ModeFacts): readonly string[] {
  const reasons: string[] = [];
  if (facts.nodeEnv === 'production') reasons.push('NODE_ENV is production');
  if (!isLoopback(facts.host)) reasons.push('HOST is not a loopback address');
  if (facts.baseUrl !== undefined && !isLoopback(new URL(facts.baseUrl).hostname)) {
    reasons.push('the host of BASE_URL is not loopback');
  }
  return reasons;
}
