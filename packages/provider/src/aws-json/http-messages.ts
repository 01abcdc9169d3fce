/** Headers of a request: names in lower case, as Node and `fetch` give them. */
export type HttpHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request in AWS JSON 1.1: what came with one `POST`. */
export interface AwsJsonRequest {
  readonly headers: HttpHeaders;
  /** The body as it was sent, which a signature may cover. Its size is limited by whoever received it. */
  readonly body: string | Uint8Array;
  /** The address of the end client, as text. */
  readonly sourceAddress: string;
  /** The id of this request. It stands in the answer's `x-amzn-requestid`. */
  readonly requestId: string;
}

/** An answer in AWS JSON 1.1. */
export interface AwsJsonResponse {
  /** The HTTP status. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One header of a request; undefined where it was not sent, or sent more than once. */
export function findHeader(headers: HttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
