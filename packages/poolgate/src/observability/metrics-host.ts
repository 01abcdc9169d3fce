import { isIP } from 'node:net';

/** The host of a `Host` header in lower case, without its port and without the brackets of an IPv6 address; undefined where it is none. */
function parseHostHeader(header: string | undefined): string | undefined {
  const url = header !== undefined && /^[\w.:[\]-]+$/.test(header) ? URL.parse(`http://${header}`) : null;
  return url === null ? undefined : url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/**
 * Whether a request for the metrics names a host under which they are served. A page of elsewhere can have its own name point here
 * (DNS rebinding), and its browser then says that name. It can say no address, and no name without a dot: nobody can be given those.
 * @param names the further names, in lower case
 */
export function isMetricsHost(header: string | undefined, names: ReadonlySet<string>): boolean {
  const host = parseHostHeader(header);
  if (host === undefined || host === '') return false;
  return isIP(host) !== 0 || !host.includes('.') || names.has(host);
}
