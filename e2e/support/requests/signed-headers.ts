import { Sha256 } from '@aws-crypto/sha256-js';
import { HttpRequest } from '@smithy/protocol-http';
import { SignatureV4 } from '@smithy/signature-v4';
import type { TestService } from '../services/test-service.ts';

/** The request to sign. */
export interface UnsignedRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Changes to a valid signature. */
export interface SignatureFaults {
  readonly keyId?: string;
  readonly secret?: string;
  readonly region?: string;
  readonly service?: string;
  /** The offset of the signature's date from the service's clock. */
  readonly offMs?: number;
}

/**
 * Creates the headers of a request that the AWS SDK's own signer signed with the service's admin key, for the routes or the
 * Cognito-compatible API.
 */
export async function createSignedHeaders(
  on: TestService,
  { method, path, body = '', headers = {} }: UnsignedRequest,
  {
    keyId = on.adminKey?.id ?? '',
    secret = on.adminKey?.secret ?? '',
    region = 'us-east-1',
    service = 'poolgate',
    offMs = 0,
  }: SignatureFaults = {},
): Promise<Readonly<Record<string, string>>> {
  const signer = new SignatureV4({
    service,
    region,
    credentials: { accessKeyId: keyId, secretAccessKey: secret },
    sha256: Sha256,
  });
  const { hostname, port } = new URL(on.url);
  const all = { host: `${hostname}:${port}`, ...headers };
  const request = new HttpRequest({ method, hostname, port: Number(port), path, body, headers: all });
  const signed = await signer.sign(request, { signingDate: new Date(on.clock.now() + offMs) });
  return signed.headers;
}
