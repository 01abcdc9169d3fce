import type { GatewaySettings } from '../kernel/deps.ts';

const MAX_LENGTH = 8192;
/** A URL parser drops some of these and reads a backslash as a slash, so comparing the text would compare something else. */
const NOT_IN_A_URL = /[\s\\\p{C}]/u;

/**
 * Returns where a browser may return: a path of this service, or a URL of its origin or of one in the settings.
 * @returns the absolute URL; undefined if it is not allowed
 */
export function parseReturnTarget(
  { baseUrl, returnOrigins }: Pick<GatewaySettings, 'baseUrl' | 'returnOrigins'>,
  asked: string | undefined,
): string | undefined {
  if (asked === undefined || asked.length > MAX_LENGTH || NOT_IN_A_URL.test(asked)) return undefined;
  const isPath = asked.startsWith('/') && !asked.startsWith('//');
  if (!isPath && !/^https?:\/\/[^/]/.test(asked)) return undefined;
  const own = new URL(baseUrl).origin;
  const url = URL.parse(asked, own);
  if (url === null || url.username !== '' || url.password !== '') return undefined;
  return url.origin === own || returnOrigins.includes(url.origin) ? url.href : undefined;
}
