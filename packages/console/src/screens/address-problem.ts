import type { TextId } from '../translations/texts.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Finds why an address cannot be a callback URL. Apps may use custom schemes, such as `myapp://callback`. */
export function findAddressProblem(address: string): TextId | undefined {
  const url = URL.parse(address);
  if (url === null || !/^[a-z][a-z\d+.-]*:\/\//i.test(address)) return 'clients.urlInvalid';
  if (address.includes('#')) return 'clients.urlFragment';
  if (address.includes('*')) return 'clients.urlWildcard';
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) return 'clients.urlHttp';
  return undefined;
}
