import assert from 'node:assert/strict';
import { type ClientOptions, createClient, type TokensClient } from '../client.ts';
import type { LoginParameters } from '../login/steps/login-run.ts';

type Body = Readonly<Record<string, unknown>>;

/** A request that the service received. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly body: Body;
}

/** A body, a status with its body, or `away` for an unreachable service. */
type ResponseScript = Body | readonly [status: number, body: Body] | 'away';

/** A response, or a function that creates it at the time of the request. */
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
  id_token: `e30.${encodeClaims({ sub: 'sub-1' })}.x`,
  refresh_token: 'refresh',
  expires_in: 3600,
};

/** A login that continues with a challenge. */
export const createChallengeResponse = (name: string, session: string, parameters: object = {}) => ({
  status: 'challenge',
  challenge_name: name,
  session,
  challenge_params: parameters,
});

/** The same for the choice-based routes. */
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

/** Options of a scripted service and its client. */
export interface ScriptedOptions extends Omit<ClientOptions, 'parameters'> {
  readonly parameters?: Partial<LoginParameters>;
}

/** A client of a scripted service. */
export interface ScriptedClient {
  readonly client: TokensClient;
  /** All requests except those for the public parameters. */
  readonly requests: ReceivedRequest[];
  readonly state: { nowMs: number };
}

/** A service that returns the given responses in order, for situations that a real pool cannot produce on demand. */
export function createScriptedClient(...answers: readonly ScriptedResponse[]): ScriptedClient {
  return createScriptedClientWith({}, ...answers);
}

/** The same with the given client options. */
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
