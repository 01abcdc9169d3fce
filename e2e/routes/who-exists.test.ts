import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ROUTES, type Route } from '@poolgate/contract';
import { OPERATIONS } from '@poolgate/provider';
import { ON_COGNITO } from '../support/provider/tested-provider.ts';
import type { Exchange } from '../support/requests/exchange.ts';
import {
  PUBLIC_OPERATION_REQUESTS,
  PUBLIC_ROUTE_REQUESTS,
  type PublicRequest,
} from '../support/requests/public-requests.ts';
import { createAuthenticator, createRegisteredPasskey, ORIGIN, RP_ID } from '../support/routes/route-passkeys.ts';
import { addUser, inviteUser, PASSWORD, startTestService, type TestService } from '../support/services/test-service.ts';

const HOUR_MS = 3_600_000;

/** Operations without a token, signature or name. */
const NAME_NOBODY: readonly string[] = ['GetClientToken', 'GetTokensFromRefreshToken', 'RevokeToken'];

/** The states of a name, and how it gets there. */
const STATES: Readonly<Record<string, (service: TestService, email: string) => Promise<unknown>>> = {
  known: addUser,
  'known, with a passkey': async (service, email) => {
    await addUser(service, email);
    await createRegisteredPasskey(service, email, createAuthenticator());
  },
  invited: inviteUser,
  unconfirmed: (service, email) => service.post('/register', { email, password: PASSWORD }),
  disabled: async (service, email) => {
    await addUser(service, email);
    await service.call('AdminDisableUser', { UserPoolId: service.userPoolId, Username: email }, service.asAdmin);
  },
  unknown: async () => {},
};

const OPTIONS = {
  rpId: RP_ID,
  origins: [ORIGIN],
  firstFactors: ['PASSWORD', 'WEB_AUTHN', 'EMAIL_OTP', 'SMS_OTP'],
} as const;

/** The leaves of a response. */
function leaves(value: unknown, path = ''): readonly (readonly [path: string, text: string])[] {
  if (typeof value === 'string' && value.startsWith('{')) return leaves(JSON.parse(value), path);
  if (typeof value !== 'object' || value === null) return [[path, String(value)]];
  return Object.entries(value).flatMap(([key, member]) => leaves(member, `${path}/${key}`));
}

/** Also with its headers, and without the typed name, which the routes repeat. */
function said({ status, headers, body }: Exchange): ReadonlyMap<string, string> {
  const { username: _, ...rest } = body;
  return new Map([...leaves(rest), ['status', String(status)], ['retry-after', String(headers['retry-after'])]]);
}

/** The number of passkeys that an account without any seems to have depends on its username. */
const INVENTED_KEYS = /\/allowCredentials\/\d+\//;

/** Parts of a response that are not specific to it. */
function summarize({ status, headers, body }: Exchange): readonly unknown[] {
  const words = body.code ?? body.message ?? body.__type ?? body.ChallengeName ?? body.challenge_name;
  return [status, words, headers['retry-after']];
}

/** What two responses have in common. The rest is random. */
function common(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...one].filter(([path, value]) => other.get(path) === value));
}

describe('requests that anyone can send', () => {
  it('are all in these tables: every route and every operation that takes a name', () => {
    const takesName = ({ guard, body }: Route) =>
      guard === 'public' && ['username', 'email'].some((member) => Object.hasOwn(body?.properties ?? {}, member));
    const routes = Object.entries<Route>(ROUTES).flatMap(([id, route]) => (takesName(route) ? [id] : []));
    assert.deepEqual([...new Set(PUBLIC_ROUTE_REQUESTS.map(({ target }) => target))].toSorted(), routes.toSorted());
    const operations = Object.entries(OPERATIONS).flatMap(([name, { access }]) => (access === 'client' ? [name] : []));
    const named = operations.filter((name) => !NAME_NOBODY.includes(name));
    assert.deepEqual([...new Set(PUBLIC_OPERATION_REQUESTS.map(({ target }) => target))].toSorted(), named.toSorted());
  });
});

describe('A name, and the username in its responses.', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService(OPTIONS);
  });
  after(() => service.close());

  async function fetchUserId(name: string): Promise<string> {
    const { body } = await service.post('/login/srp', { username: name });
    return (body.challenge_params as Readonly<Record<string, string>>).USER_ID_FOR_SRP ?? '';
  }

  // Operations do not pass through a service in front of another pool.
  const acts: readonly PublicRequest[] = ON_COGNITO
    ? PUBLIC_ROUTE_REQUESTS
    : [...PUBLIC_ROUTE_REQUESTS, ...PUBLIC_OPERATION_REQUESTS];
  for (const [state, make] of Object.entries(STATES)) {
    it(`get the same responses for a name that is ${state}`, async () => {
      const name = `${state.replaceAll(/\W/g, '')}@example.com`;
      await make(service, name);
      const id = await fetchUserId(name);
      assert.equal(await fetchUserId(id), id);
      for (const act of acts.filter(({ takesAddressOnly }) => !takesAddressOnly)) {
        const ask = async (who: string) => {
          // Earlier guesses and messages have expired: one source may cause two messages per hour.
          service.clock.advance(2 * HOUR_MS);
          return said(await act.ask(service, who));
        };
        const one = await ask(name);
        const stable = common(one, await ask(name));
        for (const other of [id, name.toUpperCase(), id.toUpperCase()]) {
          const answer = await ask(other);
          assert.deepEqual([...common(stable, answer)], [...stable], `${act.target} ${act.variant} of ${other}`);
          assert.deepEqual([...answer.keys()].toSorted(), [...one.keys()].toSorted(), `${act.target} ${act.variant}`);
        }
      }
    });
  }

  it('get the same kind of UserSub for a sign-up, whether the address is taken or not', async () => {
    const told = async (state: string): Promise<readonly unknown[]> => {
      const Username = `f-${state.replaceAll(/\W/g, '')}@example.com`;
      await STATES[state]?.(service, Username);
      service.clock.advance(2 * HOUR_MS);
      const signUp = { ClientId: service.clientId, Username, Password: `Their-Own-${PASSWORD}` };
      const { UserSub } = (await service.call('SignUp', signUp)).body;
      const answers: unknown[] = [];
      for (const act of acts.filter(({ takesAddressOnly }) => !takesAddressOnly)) {
        service.clock.advance(2 * HOUR_MS);
        const answer = await act.ask(service, String(UserSub));
        const members = [...said(answer).keys()].filter((path) => !INVENTED_KEYS.test(path));
        answers.push([act.target, act.variant, summarize(answer), members.toSorted()]);
      }
      return answers;
    };
    const wanted = await told('unknown');
    for (const state of Object.keys(STATES)) assert.deepEqual(await told(state), wanted, state);
  });

  /** Requests to repeat with both names in turn until they are refused. All names have the same first letters. */
  async function trace({ ask }: PublicRequest, state: string, at: number): Promise<readonly unknown[]> {
    const name = `e${at}-${state.replaceAll(/\W/g, '')}@example.com`;
    await STATES[state]?.(service, name);
    const id = await fetchUserId(name);
    service.clock.advance(2 * HOUR_MS);
    const answers: unknown[] = [];
    for (let turn = 0; turn < 12; turn += 1) {
      answers.push(summarize(await ask(service, turn % 3 === 1 ? id : name)));
    }
    return answers;
  }

  for (const [at, act] of acts.entries()) {
    it(`are counted in the same way for both names: ${act.target} ${act.variant}`, async () => {
      const wanted = await trace(act, 'unknown', at);
      const others = Object.keys(STATES).filter((state) => state !== 'unknown');
      for (const state of others) assert.deepEqual(await trace(act, state, at), wanted, state);
    });
  }
});
