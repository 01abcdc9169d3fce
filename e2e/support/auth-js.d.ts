/** What of `@auth/core` the tests use. */
export function Auth(request: Request, config: object): Promise<Response>;
export function Cognito(options: {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly issuer: string;
}): object;
