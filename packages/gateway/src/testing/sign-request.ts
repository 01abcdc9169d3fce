import { Sha256 } from '@aws-crypto/sha256-js';
import { HttpRequest } from '@smithy/protocol-http';
import { SignatureV4 } from '@smithy/signature-v4';
import type { RawRequest } from '../guards/sigv4-canonical.ts';

/** A request before it is signed. */
export interface UnsignedRequest {
  readonly method: string;
  /** Percent-encoded. */
  readonly path: string;
  /** Not encoded. */
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Signs with the AWS SDK's own signer, and sends the request as a client would. */
export async function signRequest(
  plan: UnsignedRequest,
  credentials: { readonly accessKeyId: string; readonly secretAccessKey: string },
  scope: { readonly region: string; readonly service: string },
  atMs: number,
): Promise<RawRequest> {
  const signer = new SignatureV4({ ...scope, credentials, sha256: Sha256 });
  const headers = { host: 'localhost:3000', ...plan.headers };
  const request = new HttpRequest({ ...plan, query: { ...plan.query }, headers });
  const signed = await signer.sign(request, { signingDate: new Date(atMs) });
  const query = Object.entries(plan.query)
    .flatMap(([name, value]) => [value].flat().map((each) => `${encodeRfc3986(name)}=${encodeRfc3986(each)}`))
    .join('&');
  return {
    method: plan.method,
    target: query === '' ? plan.path : `${plan.path}?${query}`,
    rawHeaders: Object.entries(signed.headers).flat(),
    body: Buffer.from(plan.body, 'utf8'),
  };
}

/** Percent-encodes everything but RFC 3986's unreserved characters. */
export function encodeRfc3986(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
}
