import type { TestService } from '../services/test-service.ts';
import type { Exchange, RequestContent } from './exchange.ts';

/** Members of responses whose values are secrets, on the routes and at the Cognito-compatible API. */
const SECRET_MEMBERS: readonly string[] = [
  'access_token',
  'refresh_token',
  'id_token',
  'session',
  'Session',
  'session_token',
  'temp_password',
  'secret',
  'SecretCode',
  'TotpUri',
  'recovery_codes',
  'AccessToken',
  'RefreshToken',
  'IdToken',
];

/** Members of requests whose values are secrets. */
const SECRET_FIELDS: readonly string[] = [
  'password',
  'new_password',
  'password_confirmation',
  'temp_password',
  'code',
  'token',
  'Password',
  'PreviousPassword',
  'ProposedPassword',
  'PASSWORD',
  'NEW_PASSWORD',
  'ConfirmationCode',
  'UserCode',
  'PASSKEY_HASH',
  'PRIVATE_KEY',
  'PASSWORD_CLAIM_SIGNATURE',
  'verifier',
  'Salt',
  'PasswordVerifier',
];

/** Shorter values are words, not secrets; codes have six digits. */
const SHORTEST = 6;

/** The secrets that a service received or returned, by kind, and the texts of its errors. */
export class SecretsWatch {
  readonly secrets = new Map<string, Set<string>>();
  readonly refusals: string[] = [];

  /** Records a secret. */
  plant(kind: string, value: string): string {
    if (value.length >= SHORTEST) {
      const values = this.secrets.get(kind) ?? new Set<string>();
      this.secrets.set(kind, values.add(value));
    }
    return value;
  }

  /** Returns the service with every exchange watched. */
  over(service: TestService): TestService {
    const ask: TestService['ask'] = async (method, path, sent) => {
      this.#takeRequest(sent);
      const answer = await service.ask(method, path, sent);
      this.#takeAnswer(answer);
      return answer;
    };
    const post: TestService['post'] = (path, body, headers = {}) => ask('POST', path, { body, headers });
    return {
      ...service,
      ask,
      post,
      get: (path, headers = {}) => ask('GET', path, { headers }),
      call: (operation, input, headers = {}) =>
        post('/', input, {
          'content-type': 'application/x-amz-json-1.1',
          'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
          ...headers,
        }),
    };
  }

  #takeRequest({ headers = {}, body }: RequestContent = {}): void {
    const { authorization } = headers;
    if (typeof authorization === 'string') this.plant('authorization', authorization.replace(/^\S+ /, ''));
    this.#take(SECRET_FIELDS, body);
  }

  #takeAnswer({ status, text, headers, body }: Exchange): void {
    if (status >= 400) this.refusals.push(`${JSON.stringify(headers)} ${text}`);
    else this.#take(SECRET_MEMBERS, body);
  }

  #take(names: readonly string[], value: unknown, name = ''): void {
    if (typeof value === 'string') {
      if (names.includes(name)) this.plant(name, value);
      else if (value.startsWith('{')) this.#take(names, parseOrUndefined(value));
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) this.#take(names, member, Array.isArray(value) ? name : key);
  }

  /** Returns the kinds of secrets that a text contains, in plain form or in an encoding. */
  foundIn(text: string): readonly string[] {
    return [...this.secrets].flatMap(([kind, values]) => {
      const found = [...values].filter((value) => listEncodings(value).some((form) => containsSecret(text, form)));
      return found.map((value) => `${kind} ${value}`);
    });
  }
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const listEncodings = (value: string): readonly string[] => [
  value,
  ...(value.length < 12 ? [] : [Buffer.from(value).toString('base64'), Buffer.from(value).toString('hex')]),
  encodeURIComponent(value),
  JSON.stringify(value).slice(1, -1),
];

/** Longer numbers and digests may contain digits by chance: such a secret must occur alone. */
const containsSecret = (text: string, form: string): boolean =>
  /^\d+$/.test(form) ? new RegExp(`(?<![0-9A-Za-z+/_.-])${form}(?![0-9A-Za-z+/_.-])`).test(text) : text.includes(form);
