/** A body of JSON, or nothing. */
export interface JsonResponse {
  readonly status: number;
  readonly body: unknown;
}

/** Sends JSON by POST; resolves for any status, after the complete body. */
export async function postJson(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<JsonResponse> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

/** Calls an operation of AWS JSON 1.1 by name. */
export function callOperation(url: string, operation: string, input: unknown): Promise<JsonResponse> {
  return postJson(`${url}/`, input, {
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
  });
}

/** Returns the body of a response that must be successful. */
export function requireBody<Body>({ status, body }: JsonResponse): Body {
  if (status < 200 || status > 299) throw new Error(`status ${status}: ${JSON.stringify(body)}`);
  return body as Body;
}
