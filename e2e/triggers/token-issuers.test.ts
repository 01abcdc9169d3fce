import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as handlers from '../../examples/triggers/handlers.ts';
import { decodeTokenPart } from '../../packages/pool/src/testing/test-tokens.ts';
import {
  assertOAuthError,
  CALLBACK,
  callAsAdmin,
  createAuthorizeQuery,
  createOAuthClient,
  createPkce,
  createResourceServer,
  type OAuthClient,
  openSignedInBrowser,
  postForm,
  requestCode,
  toBasicHeader,
} from '../support/oauth/oauth-client.ts';
import type { Exchange } from '../support/requests/exchange.ts';
import {
  createDeviceClaim,
  createRememberedDevice,
  proveDevice,
  startDeviceSrp,
} from '../support/routes/route-devices.ts';
import {
  createAuthenticator,
  createRegisteredPasskey,
  logInWithPasskey,
  ORIGIN,
  RP_ID,
} from '../support/routes/route-passkeys.ts';
import { createSignedClaim, createVerifierAnswer, startSrpLogin } from '../support/routes/route-srp.ts';
import { addUser, inviteUser, PASSWORD, requireTokens, type TestService } from '../support/services/test-service.ts';
import { formatTriggerArn, setLambdaConfig, startTriggeredService } from '../support/triggers/triggered-service.ts';

interface TokenEvent {
  readonly version: string;
  readonly triggerSource: string;
  readonly callerContext: { readonly clientId: string };
  readonly request: { readonly scopes?: readonly string[]; readonly clientMetadata?: object };
  response: object;
}

const CUSTOM = {
  DefineAuthChallenge: formatTriggerArn('define'),
  CreateAuthChallenge: formatTriggerArn('create'),
  VerifyAuthChallengeResponse: formatTriggerArn('verify'),
};
const BEFORE_TOKENS = formatTriggerArn('preTokenGeneration');
const FLOWS = ['CUSTOM_AUTH', 'USER_SRP_AUTH', 'USER_AUTH', 'USER_PASSWORD_AUTH', 'REFRESH_TOKEN_AUTH'];
const versioned = (LambdaVersion: 'V1_0' | 'V2_0' | 'V3_0') => ({
  ...CUSTOM,
  PreTokenGenerationConfig: { LambdaVersion, LambdaArn: BEFORE_TOKENS },
});

let people = 0;

/** What every issuer of tokens does, by the reason that it gives the trigger. */
const ISSUERS: Readonly<
  Record<string, { readonly source: string; readonly issue: (context: Issuing) => Promise<string> }>
> = {
  'a password': {
    source: 'TokenGeneration_Authentication',
    issue: async ({ service }) => access(await logIn(service, await somebody(service))),
  },
  'a password by SRP': {
    source: 'TokenGeneration_Authentication',
    async issue({ service }) {
      const challenge = await startSrpLogin(service, await somebody(service));
      return access(
        await service.post(
          '/login/auth-challenge',
          createVerifierAnswer(challenge, createSignedClaim(service, challenge)),
        ),
      );
    },
  },
  'a new password': {
    source: 'TokenGeneration_NewPasswordChallenge',
    async issue({ service }) {
      const username = nobody();
      await inviteUser(service, username);
      const { body } = await logIn(service, username);
      const answer = { challenge_name: body.challenge_name, session: body.session, username };
      return access(await service.post('/challenge', { ...answer, challenge_value: 'Brand-New-Horse1!' }));
    },
  },
  'a device': {
    source: 'TokenGeneration_AuthenticateDevice',
    async issue({ service, forget }) {
      const challenge = await startDeviceSrp(service, await createRememberedDevice(service, await somebody(service)));
      forget();
      return access(await proveDevice(service, challenge, createDeviceClaim(service, challenge)));
    },
  },
  'a passkey': {
    source: 'TokenGeneration_Authentication',
    async issue({ service, forget }) {
      const [name, authenticator] = [await somebody(service), createAuthenticator()];
      await createRegisteredPasskey(service, name, authenticator);
      forget();
      return access(await logInWithPasskey(service, name, authenticator));
    },
  },
  'a custom challenge': {
    source: 'TokenGeneration_Authentication',
    async issue({ service }) {
      const username = await somebody(service);
      const { body } = await service.post('/login/custom', { username });
      const answer = { challenge_name: 'CUSTOM_CHALLENGE', session: body.session, username, challenge_value: 'blue' };
      return access(await service.post('/challenge', answer));
    },
  },
  'a refresh token, by the route': {
    source: 'TokenGeneration_RefreshTokens',
    async issue({ service, forget }) {
      const { refresh } = requireTokens(await logIn(service, await somebody(service)));
      forget();
      return access(await service.post('/token/refresh', { refresh_token: refresh }));
    },
  },
  'a refresh token, by OAuth': {
    source: 'TokenGeneration_RefreshTokens',
    async issue({ service, forget }) {
      const { refresh } = requireTokens(await logIn(service, await somebody(service)));
      forget();
      const fields = { grant_type: 'refresh_token', client_id: service.clientId, refresh_token: refresh };
      return access(await postForm(service, '/oauth2/token', fields));
    },
  },
  'an authorization code': {
    source: 'TokenGeneration_HostedAuth',
    async issue({ service, app, forget }) {
      const browser = await openSignedInBrowser(service, await somebody(service));
      forget();
      const { verifier, challenge } = createPkce();
      const code = await requestCode(browser, createAuthorizeQuery(app, challenge));
      const fields = { code, client_id: app.id, redirect_uri: CALLBACK, code_verifier: verifier };
      return access(await postForm(service, '/oauth2/token', { grant_type: 'authorization_code', ...fields }));
    },
  },
  'client credentials': {
    source: 'TokenGeneration_ClientCredentials',
    issue: async ({ service, machine }) =>
      access(await postForm(service, '/oauth2/token', { grant_type: 'client_credentials' }, toBasicHeader(machine))),
  },
  GetClientToken: {
    source: 'TokenGeneration_ClientCredentials',
    async issue({ service, machine }) {
      const asked = { ClientId: machine.id, Secret: machine.secret, Scopes: ['things/read'] };
      const { body, text } = await service.call('GetClientToken', asked);
      const result = body.ClientAuthenticationResult as { AccessToken?: string } | undefined;
      return result?.AccessToken ?? assert.fail(text);
    },
  },
};

interface Issuing {
  readonly service: TestService;
  readonly app: OAuthClient;
  readonly machine: OAuthClient;
  /** Earlier calls do not matter. */
  forget(): void;
}

function nobody(): string {
  people += 1;
  return `person-${people}@example.com`;
}

async function somebody(service: TestService): Promise<string> {
  const name = nobody();
  await addUser(service, name);
  return name;
}

const logIn = (service: TestService, username: string) => service.post('/login', { username, password: PASSWORD });

function access({ status, body, text }: Exchange): string {
  assert.equal(status, 200, text);
  return String(body.access_token);
}

describe('the trigger before tokens', () => {
  let issuing: Issuing;
  let service: TestService;
  let events: TokenEvent[] = [];
  before(async () => {
    const preTokenGeneration = async (event: TokenEvent) => {
      events.push(structuredClone(event));
      const claimsToAddOrOverride = { asked_for: event.triggerSource };
      const accessTokenGeneration = { claimsToAddOrOverride };
      event.response = {
        claimsOverrideDetails: { claimsToAddOrOverride },
        claimsAndScopeOverrideDetails: { accessTokenGeneration },
      };
      return event;
    };
    service = await startTriggeredService(versioned('V3_0'), {
      rpId: RP_ID,
      origins: [ORIGIN],
      triggers: {
        [BEFORE_TOKENS]: preTokenGeneration,
        [CUSTOM.DefineAuthChallenge]: handlers.defineAuthChallenge,
        [CUSTOM.CreateAuthChallenge]: handlers.createAuthChallenge,
        [CUSTOM.VerifyAuthChallengeResponse]: handlers.verifyAuthChallengeResponse,
      },
    });
    const ids = { UserPoolId: service.userPoolId, ClientId: service.clientId };
    const ExplicitAuthFlows = FLOWS.map((flow) => `ALLOW_${flow}`);
    await callAsAdmin(service, 'UpdateUserPoolClient', { ...ids, ExplicitAuthFlows });
    await createResourceServer(service);
    const machine = await createOAuthClient(service, {
      GenerateSecret: true,
      AllowedOAuthFlows: ['client_credentials'],
      AllowedOAuthScopes: ['things/read'],
    });
    const forget = () => {
      events = [];
    };
    issuing = { service, app: await createOAuthClient(service), machine, forget };
  });
  after(() => service.close());

  for (const [name, { source, issue }] of Object.entries(ISSUERS)) {
    it(`runs for tokens from ${name}, and each version may change its own part`, async () => {
      const isMachine = source === 'TokenGeneration_ClientCredentials';
      for (const version of ['V3_0', 'V1_0'] as const) {
        await setLambdaConfig(service, versioned(version));
        events = [];
        const token = await issue(issuing);
        const asked = events.map(({ triggerSource, version: of }) => [triggerSource, of]);
        const isAsked = version === 'V3_0' || !isMachine;
        assert.deepEqual(asked, isAsked ? [[source, version.slice(1, 2)]] : []);
        assert.equal(decodeTokenPart(token, 1).asked_for, version === 'V3_0' ? source : undefined);
      }
    });
  }

  it('receives the scopes of a machine and its metadata', async () => {
    await setLambdaConfig(service, versioned('V3_0'));
    const { machine } = issuing;
    events = [];
    const fields = { grant_type: 'client_credentials', aws_client_metadata: JSON.stringify({ order: '7' }) };
    access(await postForm(service, '/oauth2/token', fields, toBasicHeader(machine)));
    const [{ request, callerContext } = assert.fail('not asked')] = events;
    assert.equal(callerContext.clientId, machine.id);
    assert.deepEqual(request.scopes, ['things/read']);
    assert.deepEqual(request.clientMetadata, { order: '7' });
    for (const aws_client_metadata of ['{', 'null', '[]', '"x"', '{"order":7}']) {
      const refused = await postForm(
        service,
        '/oauth2/token',
        { ...fields, aws_client_metadata },
        toBasicHeader(machine),
      );
      assertOAuthError(refused, 400, 'invalid_request', aws_client_metadata);
    }
  });
});
