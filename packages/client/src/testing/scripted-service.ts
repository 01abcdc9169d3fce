import assert from 'node:assert/strict';
import { type ClientOptions, createClient, type TokensClient } from '../client.ts';
import type { LoginParameters } from '../login/steps/login-run.ts';

type Body = Readonly<Record<string, unknown>>;

/** A request, as the service got it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly body: Body;
}

/** A body, a status with its body, or `away`: the service cannot be reached. */
type ResponseScript = Body | readonly [status: number, body: Body] | 'away';

/** An answer, or what gives one at the moment in which it is asked for. */
export type ScriptedResponse = ResponseScript | (() => ResponseScript);

const PARAMETERS = {
  provider: { region: 'local', user_pool_id: 'local_pool', client_id: 'app' },
  challenges: ['PASSWORD_VERIFIER'],
  capabilities: [],
  passkeys: { rp_id: null },
  password_policy: null,
};

const encodeClaims = (value: object) => btoa(JSON.stringify(value));

/** A finished login of the user `ada`. */
export const LOGIN_SUCCESS = {
  status: 'success',
  access_token: `e30.${encodeClaims({ username: 'ada' })}.x`,
  id_token: 'id',
  refresh_token: 'refresh',
  expires_in: 3600,
};

/** A login that goes on. */
export const createChallengeResponse = (name: string, session: string, parameters: object = {}) => ({
  status: 'challenge',
  challenge_name: name,
  session,
  challenge_params: parameters,
});

/** The same of the choice-based routes. */
export const createChoiceResponse = (
  name: string,
  session: string,
  parameters: object = {},
  available: readonly string[] = [],
) => ({
  ChallengeName: name,
  Session: session,
  ChallengeParameters: parameters,
  AvailableChallenges: available,
});

/** What a scripted service and its client are. */
export interface ScriptedOptions extends Omit<ClientOptions, 'parameters'> {
  readonly parameters?: Partial<LoginParameters>;
}

/** A client of a scripted service. */
export interface ScriptedClient {
  readonly client: TokensClient;
  /** All but the public facts. */
  readonly requests: ReceivedRequest[];
  readonly state: { nowMs: number };
}

/** A service that gives answers in their order: what no real pool gives at will is decided by its triggers, or by factors that send messages. */
export function createScriptedClient(...answers: readonly ScriptedResponse[]): ScriptedClient {
  return createScriptedClientWith({}, ...answers);
}

/** The same with a client of one's own. */
export function createScriptedClientWith(
  { parameters, ...options }: ScriptedOptions,
  ...answers: readonly ScriptedResponse[]
): ScriptedClient {
  const left = [...answers];
  const asked: ReceivedRequest[] = [];
  const state = { nowMs: 0 };
  const fetch = async (input: unknown, { method = 'GET', body = '{}' }: RequestInit = {}) => {
    const path = new URL(String(input)).pathname.replace('/api/cognito', '');
    if (path === '/login/parameters') return Response.json({ ...PARAMETERS, ...parameters });
    asked.push({ method, path, body: JSON.parse(String(body)) });
    const next = left.shift() ?? assert.fail(`nothing is to be asked any more: ${path}`);
    const answer = typeof next === 'function' ? next() : next;
    if (answer === 'away') throw new TypeError('fetch failed');
    const [status, given] = Array.isArray(answer) ? answer : [200, answer];
    return Response.json(given, { status: Number(status), headers: { 'retry-after': '7' } });
  };
  const now = () => state.nowMs;
  const client = createClient({
    baseUrl: 'https://auth.example.com',
    now,
    fetch: fetch as typeof globalThis.fetch,
    ...options,
    mode: 'tokens',
  });
  return { client, requests: asked, state };
}
