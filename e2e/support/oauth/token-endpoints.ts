import { listAddresses, ROUTES, type Route } from '@poolgate/contract';
import type { Gateway } from '@poolgate/gateway';
import { OPERATIONS } from '@poolgate/provider';

/**
 * An endpoint that accepts an access token: a route under one of its addresses and mounts, or an operation of the Cognito-compatible API.
 */
export interface TokenEndpoint {
  readonly name: string;
  /** Sends the token; returns whether it was rejected as invalid or for its scope, and the response. */
  present(gateway: Gateway, token: string): Promise<TokenEndpointResult>;
}

/** The result for a token. */
export interface TokenEndpointResult {
  readonly isRefused: boolean;
  /** It is valid but lacks the scope. */
  readonly lacksScope: boolean;
  readonly text: string;
}

const TAKES_TOKENS: readonly Route['guard'][] = ['user', 'user-or-session', 'operator'];

/** The routes among them. */
export const TOKEN_ROUTES: readonly TokenEndpoint[] = Object.values<Route>(ROUTES)
  .filter(({ guard }) => TAKES_TOKENS.includes(guard))
  .flatMap((route) =>
    listAddresses(route).flatMap(({ method, path }) =>
      ['', '/api/cognito'].flatMap((prefix) => {
        const target = `${prefix}${path.replaceAll(/\{\w+\}/g, '123456')}`;
        const inHeader = createTokenRoute(method, target, (token) => ({
          headers: { authorization: `Bearer ${token}` },
        }));
        const inBody = createTokenRoute(method, target, (access_token) => ({ body: { access_token } }));
        return route.tokenInBody && method !== 'GET' ? [inHeader, inBody] : [inHeader];
      }),
    ),
  );

interface TokenRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

function createTokenRoute(method: string, path: string, showing: (token: string) => TokenRequest): TokenEndpoint {
  return {
    name: `${method} ${path}`,
    async present(gateway, token) {
      const { headers = {}, body = {} } = showing(token);
      const hasBody = method !== 'GET';
      const answer = await gateway.inject({
        method,
        path,
        headers: {
          host: 'localhost',
          ...(hasBody && { 'content-type': 'application/json' }),
          ...formatHeaders(headers),
        },
        ...(hasBody && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      // A token that is too long or has other characters is rejected as a field of the body.
      const lacksScope =
        answer.status === 403 &&
        /^Bearer error="insufficient_scope".*scope="aws\.cognito\.signin\.user\.admin"$/.test(
          answer.headers.get('www-authenticate') ?? '',
        );
      const isRefused = answer.status === 401 || (answer.status === 422 && text.includes('access_token'));
      return { isRefused, lacksScope, text };
    },
  };
}

/** Line ends cannot be sent in a header at all. */
const formatHeaders = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replaceAll(/[\r\n]/g, ' ')]));

const CREDENTIAL = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: {} };

/** The other members that an operation needs before it checks the token. */
export const OTHER_FIELDS: Readonly<Record<string, object>> = {
  RevokeUserSession: { SessionId: `tkn${'0'.repeat(25)}` },
  ChangePassword: { PreviousPassword: 'Correct-Horse1!', ProposedPassword: 'A-New-Horse2!' },
  CompleteWebAuthnRegistration: { Credential: CREDENTIAL },
  ConfirmDevice: { DeviceKey: 'us-east-1_00000000-0000-4000-8000-000000000000' },
  DeleteUserAttributes: { UserAttributeNames: ['name'] },
  DeleteWebAuthnCredential: { CredentialId: 'AAAA' },
  ForgetDevice: { DeviceKey: 'us-east-1_00000000-0000-4000-8000-000000000000' },
  GetDevice: { DeviceKey: 'us-east-1_00000000-0000-4000-8000-000000000000' },
  GetUserAttributeVerificationCode: { AttributeName: 'email' },
  SetUserSettings: { MFAOptions: [] },
  UpdateDeviceStatus: {
    DeviceKey: 'us-east-1_00000000-0000-4000-8000-000000000000',
    DeviceRememberedStatus: 'remembered',
  },
  UpdateUserAttributes: { UserAttributes: [{ Name: 'name', Value: 'Eve' }] },
  VerifySoftwareToken: { UserCode: '123456' },
  VerifyUserAttribute: { AttributeName: 'email', Code: '123456' },
};

const TOKEN_OPERATIONS: readonly TokenEndpoint[] = Object.entries(OPERATIONS)
  .filter(([, { access }]) => access === 'access-token' || access === 'access-token-or-session')
  .map(([operation]) => ({
    name: operation,
    async present(gateway, token) {
      const answer = await gateway.inject({
        method: 'POST',
        path: '/',
        headers: {
          host: 'localhost',
          'content-type': 'application/x-amz-json-1.1',
          'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
        },
        body: JSON.stringify({ AccessToken: token, ...OTHER_FIELDS[operation] }),
      });
      const text = await answer.text();
      const isRefused = text.includes('NotAuthorizedException') || /InvalidParameterException.*[Tt]oken/s.test(text);
      const lacksScope = text.includes('Access Token does not have required scopes');
      return { isRefused: answer.status === 400 && isRefused, lacksScope, text };
    },
  }));

/** Every endpoint that accepts an access token. */
export const TOKEN_ENDPOINTS: readonly TokenEndpoint[] = [...TOKEN_ROUTES, ...TOKEN_OPERATIONS];
