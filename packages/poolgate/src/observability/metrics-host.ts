import { isIP } from 'node:net';

/**
 * Returns the host of a `Host` header in lower case, without its port and without the brackets of an IPv6 address; undefined if the header
 * is invalid.
 */
function parseHostHeader(header: string | undefined): string | undefined {
  const url = header !== undefined && /^[\w.:[\]-]+$/.test(header) ? URL.parse(`http://${header}`) : null;
  return url === null ? undefined : url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/**
 * Whether a request for the metrics names a host under which they are served. A page of another site can point its own domain here (DNS
 * rebinding), and its browser then sends that domain. It cannot send an address or a name without a dot, because no one can register those.
 * @param names the additional names, in lower case
 */
export function isMetricsHost(header: string | undefined, names: ReadonlySet<string>): boolean {
  const host = parseHostHeader(header);
  if (host === undefined || host === '') return false;
  return isIP(host) !== 0 || !host.includes('.') || names.has(host);
}
