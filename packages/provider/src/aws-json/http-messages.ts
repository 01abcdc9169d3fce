/** Request headers with lowercase names, as Node and `fetch` provide them. */
export type HttpHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request in AWS JSON 1.1: the content of one `POST`. */
export interface AwsJsonRequest {
  readonly headers: HttpHeaders;
  /** The body as it was sent, because a signature may cover it. The server that received it limits its size. */
  readonly body: string | Uint8Array;
  /** The address of the end client, as text. */
  readonly sourceAddress: string;
  /** The id of this request, sent back in `x-amzn-requestid`. */
  readonly requestId: string;
}

/** A response in AWS JSON 1.1. */
export interface AwsJsonResponse {
  /** The HTTP status. */
  readonly status: number;
  /** Names in lowercase. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Returns a request header; undefined if it is missing or was sent more than once. */
export function findHeader(headers: HttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
