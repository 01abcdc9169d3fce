import {
  ProviderError,
  type ProviderErrorCode,
  type ProviderErrorOptions,
  type ProviderExtensions,
  type ProviderOperations,
} from '@poolgate/provider';
import { createServer } from '../http/server.ts';
import type { GatewaySettings } from '../kernel/deps.ts';
import type { Pages } from '../kernel/pages.ts';
import type { LocalUserRecord, LocalUserRecords, SeenUser } from '../records/index.ts';
import { createAccessToken, TOKEN_KEY } from './access-token.ts';
import {
  createGuardRecords,
  createMovableClock,
  createTestDeps,
  createTestProvider,
  takeSomeTurns,
} from './gateway-deps.ts';

/** The request of a test, and its response. */
export interface TestResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** An error of the provider, as an operation that always returns it. */
export function createRefusingOperation(
  code: ProviderErrorCode,
  options: ProviderErrorOptions = {},
): () => Promise<never> {
  return async () => {
    throw new ProviderError(code, 'a text of the provider that nobody is shown', options);
  };
}

/**
 * The service over a provider with the operations of a test, and with local users and revocations in maps. Records every call of these
 * operations and extensions.
 */
export async function createAccountService(given: {
  readonly operations?: Partial<ProviderOperations>;
  readonly extensions?: Partial<ProviderExtensions>;
  readonly settings?: Partial<GatewaySettings>;
  /** Whether the provider records revocations itself. */
  readonly recordsRevocations?: boolean;
  readonly pages?: Pages;
}) {
  const calls: [name: string, input: unknown][] = [];
  const usersBySub = new Map<string, LocalUserRecord>();
  const guarded = createGuardRecords();
  const records = { ...guarded, localUsers: { ...guarded.localUsers, ...createLocalUserRecords(usersBySub) } };
  const own = createTestProvider(() => [TOKEN_KEY], recordCalls(given.operations ?? {}, calls));
  const { recordsRevocations = false } = given;
  const provider = { ...own, extensions: recordCalls(given.extensions ?? {}, calls), recordsRevocations };
  const clock = createMovableClock();
  const app = await createServer({
    ...createTestDeps({ provider, records, clock }, given.settings),
    pages: given.pages,
  });
  async function ask(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    body?: object,
    more: Readonly<Record<string, string>> = {},
  ): Promise<TestResponse> {
    const headers = { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...more };
    const answer = await app.inject({ method, url, headers, ...(body === undefined ? {} : { payload: body }) });
    const isJson = String(answer.headers['content-type']).includes('json');
    return {
      status: answer.statusCode,
      body: isJson ? answer.json() : {},
      text: answer.body,
      headers: answer.headers,
    };
  }
  return { ask, calls, usersBySub, revocations: records.revocationsBySubject, clock };
}

/** The header of a user whose login began at the start of the test, or at another time. */
export function createUserHeader(
  sub: string,
  authTimeSeconds?: number,
  originJti?: string,
): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${createAccessToken(sub, authTimeSeconds, originJti)}` };
}

type Calls = [name: string, input: unknown][];

/** Records the calls of functions. Those in inner objects are named `outer.inner`. */
function recordCalls<Functions extends object>(functions: Functions, calls: Calls, prefix = ''): Functions {
  const entries = Object.entries(functions).map(([name, member]: [string, unknown]) => [
    name,
    typeof member === 'function'
      ? (input: unknown, call: unknown): unknown => {
          calls.push([prefix + name, input]);
          return member(input, call);
        }
      : recordCalls(member as object, calls, `${name}.`),
  ]);
  return Object.fromEntries(entries) as Functions;
}

function createLocalUserRecords(
  usersBySub: Map<string, LocalUserRecord>,
): Omit<LocalUserRecords, 'find' | 'setWebauthnEnabled'> {
  const seen = (user: SeenUser, nowMs: number): LocalUserRecord => ({
    passwordResetRequired: false,
    isWebauthnEnabled: false,
    createdAtMs: nowMs,
    ...usersBySub.get(user.sub),
    ...user,
    updatedAtMs: nowMs,
  });
  return {
    async upsert(user, nowMs) {
      await takeSomeTurns();
      const record = seen(user, nowMs);
      usersBySub.set(user.sub, record);
      return record;
    },
    async setPasswordResetRequired(user, passwordResetRequired, nowMs) {
      await takeSomeTurns();
      usersBySub.set(user.sub, { ...seen(user, nowMs), passwordResetRequired });
    },
    async delete(_userPoolId, sub) {
      await takeSomeTurns();
      usersBySub.delete(sub);
    },
  };
}
