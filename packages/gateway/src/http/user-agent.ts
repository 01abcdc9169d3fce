/** Longer than what any browser sends. */
const MAX_LENGTH = 400;

interface RequestWithHeaders {
  readonly headers: { readonly 'user-agent'?: string | undefined };
}

/** The browser or program of a request, as it names itself. */
export function readUserAgent({ headers }: RequestWithHeaders): { readonly userAgent?: string } {
  const { 'user-agent': userAgent = '' } = headers;
  return userAgent === '' ? {} : { userAgent: userAgent.slice(0, MAX_LENGTH) };
}
