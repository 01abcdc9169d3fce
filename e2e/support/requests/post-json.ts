/** A body of JSON, or nothing. */
export interface JsonResponse {
  readonly status: number;
  readonly body: unknown;
}

/** Sends JSON by POST; whatever the status, the answer counts once its whole body is here. */
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

/** Calls an operation of AWS JSON 1.1 by its name. */
export function callOperation(url: string, operation: string, input: unknown): Promise<JsonResponse> {
  return postJson(`${url}/`, input, {
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
  });
}

/** The body of an answer that must be good. */
export function requireBody<Body>({ status, body }: JsonResponse): Body {
  if (status < 200 || status > 299) throw new Error(`status ${status}: ${JSON.stringify(body)}`);
  return body as Body;
}
