import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CognitoIdentityProviderClient, InitiateAuthCommand } from '@aws-sdk/client-cognito-identity-provider';
import { type DeviceVerifier, makeDeviceVerifier, secureRandom } from '@poolgate/srp';
import { openSslEngine as engine } from '@poolgate/srp/openssl';
import { CognitoJwtVerifier } from 'aws-jwt-verify';
import { SoftwareAuthenticator } from '../../packages/pool/src/testing/software-authenticator.ts';
import { decodeTokenPart } from '../../packages/pool/src/testing/test-tokens.ts';
import { findLastCode } from '../support/routes/route-account.ts';
import { computeTotpCode } from '../support/routes/route-mfa.ts';
import { addUser, inviteUser, PASSWORD, startTestService, type TestService } from '../support/services/test-service.ts';
import {
  challenged,
  claim,
  initiate,
  logIn,
  refusedBy,
  requireStep,
  requireTokens,
  respond,
} from './cognito-api-login.ts';
import { N_HEX, signedBytes } from './plain-srp.ts';

const ADA = 'ada@example.com';
const ORIGIN = 'http://localhost:3000';
const WRONG = 'Incorrect username or password.';

/**
 * The 25 points in which emulations of Cognito break real clients. A client without any Poolgate library tests each at the
 * Cognito-compatible API.
 */
describe('what breaks real clients if it is wrong', () => {
  let service: TestService;
  let count = 0;
  before(async () => {
    service = await startTestService({
      mfaTypes: ['SOFTWARE_TOKEN_MFA', 'SMS_MFA'],
      rpId: 'localhost',
      origins: [ORIGIN],
    });
    await addUser(service, ADA);
  });
  after(() => service.close());

  async function newUser(): Promise<string> {
    const email = `user-${count++}@example.com`;
    await addUser(service, email);
    return email;
  }

  const logInForTokens = async (username: string) => requireTokens(await logIn(service, username));

  async function withTotp() {
    const username = await newUser();
    const { AccessToken } = await logInForTokens(username);
    const { SecretCode } = (await service.call('AssociateSoftwareToken', { AccessToken })).body as Record<
      string,
      string
    >;
    const UserCode = computeTotpCode(service, SecretCode ?? '');
    assert.equal((await service.call('VerifySoftwareToken', { AccessToken, UserCode })).body.Status, 'SUCCESS');
    const SoftwareTokenMfaSettings = { Enabled: true, PreferredMfa: true };
    assert.equal((await service.call('SetUserMFAPreference', { AccessToken, SoftwareTokenMfaSettings })).status, 200);
    service.clock.advance(30_000);
    return { username, AccessToken, code: () => computeTotpCode(service, SecretCode ?? '') };
  }

  /** A user's device, remembered if requested. */
  async function device(username: string, isRemembered: boolean) {
    const { AccessToken, NewDeviceMetadata } = await logInForTokens(username);
    assert.ok(NewDeviceMetadata);
    const { DeviceKey, DeviceGroupKey } = NewDeviceMetadata;
    const names = { deviceGroupKey: DeviceGroupKey, deviceKey: DeviceKey };
    const secret: DeviceVerifier = makeDeviceVerifier({ engine, device: names, random: secureRandom });
    const config = { AccessToken, DeviceKey, DeviceSecretVerifierConfig: secret.config };
    const confirmed = await service.call('ConfirmDevice', config);
    assert.equal(confirmed.status, 200, confirmed.text);
    const DeviceRememberedStatus = isRemembered ? 'remembered' : 'not_remembered';
    await service.call('UpdateDeviceStatus', { AccessToken, DeviceKey, DeviceRememberedStatus });
    return { AccessToken, DeviceKey, confirmed: confirmed.body };
  }

  it('1. N has 3072 bits, numbers are hashed as their shortest bytes with a sign, and so is u in the key', async () => {
    const { body } = await service.get('/login/parameters');
    assert.deepEqual([(body.srp as { N: string }).N, N_HEX.length], [N_HEX, 768]);
    assert.deepEqual(
      [127n, 128n, 4095n].map((value) => signedBytes(value).toString('hex')),
      ['7f', '0080', '0fff'],
    );
    const seen = { withSign: 0, withoutSign: 0, signLeftOut: 0 };
    for (let tries = 0; tries < 64 && Object.values(seen).includes(0); tries += 1) {
      const right = claim(service, await challenged(service, ADA));
      requireTokens(await respond(service, 'PASSWORD_VERIFIER', right.responses));
      seen[right.hasSignByte ? 'withSign' : 'withoutSign'] += 1;
      const wrong = claim(service, await challenged(service, ADA), { saltWithoutSign: true });
      if (!wrong.hasSignByte) continue;
      refusedBy(await respond(service, 'PASSWORD_VERIFIER', wrong.responses), 'NotAuthorizedException', WRONG);
      seen.signLeftOut += 1;
    }
    assert.ok(!Object.values(seen).includes(0), JSON.stringify(seen));
  });

  it('2. accepts a SALT that is short or has an odd length', async () => {
    const user = { UserPoolId: service.userPoolId, Username: ADA, Password: PASSWORD, Permanent: true };
    let salt = '';
    for (let tries = 0; tries < 300 && salt.length % 2 === 0; tries += 1) {
      await service.call('AdminSetUserPassword', user, service.asAdmin);
      salt = (await challenged(service, ADA)).step.ChallengeParameters.SALT ?? '';
    }
    assert.equal(salt.length % 2, 1, 'a salt that begins with a zero digit');
    await logInForTokens(ADA);
  });

  it('3. the key has 16 bytes', async () => {
    const { responses } = claim(service, await challenged(service, ADA), { keyBytes: 32 });
    refusedBy(await respond(service, 'PASSWORD_VERIFIER', responses), 'NotAuthorizedException', WRONG);
  });

  it('4. the message contains the bytes of the secret block, not their base64', async () => {
    const { responses } = claim(service, await challenged(service, ADA), { textOfBlock: true });
    refusedBy(await respond(service, 'PASSWORD_VERIFIER', responses), 'NotAuthorizedException', WRONG);
  });

  it('5. USER_ID_FOR_SRP is always present, and is the identity of the proof', async () => {
    for (const username of [ADA, 'nobody@example.com']) {
      const { step } = await challenged(service, username);
      assert.match(step.ChallengeParameters.USER_ID_FOR_SRP ?? '', /^[\da-f-]{36}$/);
    }
    const { responses } = claim(service, await challenged(service, ADA), { identity: ADA });
    refusedBy(await respond(service, 'PASSWORD_VERIFIER', responses), 'NotAuthorizedException', WRONG);
  });

  it('6. PASSWORD_VERIFIER needs no Session', async () => {
    const { responses } = claim(service, await challenged(service, ADA));
    requireTokens(await respond(service, 'PASSWORD_VERIFIER', responses, undefined));
  });

  it('7. null in a map counts as missing', async () => {
    const { responses } = claim(service, await challenged(service, ADA, { DEVICE_KEY: null, SECRET_HASH: null }));
    requireTokens(await respond(service, 'PASSWORD_VERIFIER', { ...responses, DEVICE_KEY: null, SECRET_HASH: null }));
  });

  it('8. unexpected answers are ignored', async () => {
    const { username, code } = await withTotp();
    const step = requireStep(await logIn(service, username));
    assert.equal(step.ChallengeName, 'SOFTWARE_TOKEN_MFA');
    const both = { USERNAME: username, SMS_MFA_CODE: code(), SOFTWARE_TOKEN_MFA_CODE: code(), NONSENSE: '1' };
    requireTokens(await respond(service, 'SOFTWARE_TOKEN_MFA', both, step.Session));
  });

  it('9. an unknown device is "Device does not exist.", and the same proof works without it', async () => {
    const { responses } = claim(service, await challenged(service, ADA));
    const unknown = { ...responses, DEVICE_KEY: 'us-east-1_00000000-0000-4000-8000-000000000000' };
    const refused = await respond(service, 'PASSWORD_VERIFIER', unknown);
    refusedBy(refused, 'ResourceNotFoundException', 'Device does not exist.');
    requireTokens(await respond(service, 'PASSWORD_VERIFIER', responses));
  });

  it('10. accepts DEVICE_KEY at InitiateAuth, with the proof of the password, and with a code', async () => {
    const username = await newUser();
    const { DeviceKey } = await device(username, true);
    const parameters = { USERNAME: username, PASSWORD, DEVICE_KEY: DeviceKey };
    const first = requireStep(await initiate(service, 'USER_PASSWORD_AUTH', parameters));
    assert.equal(first.ChallengeName, 'DEVICE_SRP_AUTH');
    const second = requireStep(await logIn(service, username, { DEVICE_KEY: DeviceKey }));
    assert.equal(second.ChallengeName, 'DEVICE_SRP_AUTH');

    const totp = await withTotp();
    const asked = requireStep(await logIn(service, totp.username));
    const unknown = 'us-east-1_00000000-0000-4000-8000-000000000000';
    const answer = { USERNAME: totp.username, SOFTWARE_TOKEN_MFA_CODE: totp.code(), DEVICE_KEY: unknown };
    const refused = await respond(service, 'SOFTWARE_TOKEN_MFA', answer, asked.Session);
    refusedBy(refused, 'ResourceNotFoundException', 'Device does not exist.');
  });

  it('11. the access token names the device of NewDeviceMetadata', async () => {
    const { AccessToken, NewDeviceMetadata } = await logInForTokens(ADA);
    assert.match(NewDeviceMetadata?.DeviceKey ?? '', /^us-east-1_[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    assert.equal(decodeTokenPart(AccessToken, 1).device_key, NewDeviceMetadata?.DeviceKey);
  });

  it('12. ConfirmDevice always returns whether the user must agree', async () => {
    const { confirmed } = await device(await newUser(), false);
    assert.deepEqual(confirmed, { UserConfirmationNecessary: true });
    const always = await startTestService({ deviceTracking: 'always' });
    try {
      await addUser(always, ADA);
      const { AccessToken, NewDeviceMetadata } = requireTokens(await logIn(always, ADA));
      const { DeviceKey = '', DeviceGroupKey = '' } = NewDeviceMetadata ?? {};
      const names = { deviceGroupKey: DeviceGroupKey, deviceKey: DeviceKey };
      const { config } = makeDeviceVerifier({ engine, device: names, random: secureRandom });
      const answer = await always.call('ConfirmDevice', { AccessToken, DeviceKey, DeviceSecretVerifierConfig: config });
      assert.deepEqual(answer.body, { UserConfirmationNecessary: false });
    } finally {
      await always.close();
    }
  });

  it('13. lists and objects in challenge parameters are JSON text, creation options are an object', async () => {
    const invited = 'invited@example.com';
    await inviteUser(service, invited);
    const { requiredAttributes = '', userAttributes = '' } = requireStep(
      await logIn(service, invited),
    ).ChallengeParameters;
    assert.ok(Array.isArray(JSON.parse(requiredAttributes)));
    assert.equal(JSON.parse(userAttributes).email, invited);

    const username = await newUser();
    const { AccessToken } = await logInForTokens(username);
    const { body } = await service.call('StartWebAuthnRegistration', { AccessToken });
    const options = body.CredentialCreationOptions as { readonly challenge: string } & Parameters<
      SoftwareAuthenticator['register']
    >[0];
    assert.equal(typeof options.challenge, 'string');
    const authenticator = new SoftwareAuthenticator({ origin: ORIGIN });
    const Credential = authenticator.register(options);
    assert.equal((await service.call('CompleteWebAuthnRegistration', { AccessToken, Credential })).status, 200);
    const asked = requireStep(
      await initiate(service, 'USER_AUTH', { USERNAME: username, PREFERRED_CHALLENGE: 'WEB_AUTHN' }),
    );
    const request = JSON.parse(asked.ChallengeParameters.CREDENTIAL_REQUEST_OPTIONS ?? '');
    const CREDENTIAL = JSON.stringify(authenticator.assert(request));
    requireTokens(await respond(service, 'WEB_AUTHN', { USERNAME: username, CREDENTIAL }, asked.Session));

    const required = await startTestService({ mfaSetup: 'ON' });
    try {
      await addUser(required, ADA);
      const setUp = requireStep(await logIn(required, ADA));
      assert.equal(setUp.ChallengeName, 'MFA_SETUP');
      assert.deepEqual(JSON.parse(setUp.ChallengeParameters.MFAS_CAN_SETUP ?? ''), ['SOFTWARE_TOKEN_MFA']);
    } finally {
      await required.close();
    }
  });

  it('14. every response is JSON, except those of ForgetDevice and DeleteUser, which are empty', async () => {
    const username = await newUser();
    const { AccessToken, DeviceKey } = await device(username, false);
    const { RefreshToken } = await logInForTokens(username);
    const sent: readonly (readonly [string, object])[] = [
      ['UpdateDeviceStatus', { AccessToken, DeviceKey, DeviceRememberedStatus: 'remembered' }],
      ['SetUserMFAPreference', { AccessToken, SoftwareTokenMfaSettings: { Enabled: false } }],
      ['UpdateUserAttributes', { AccessToken, UserAttributes: [{ Name: 'name', Value: 'Ada' }] }],
      ['DeleteUserAttributes', { AccessToken, UserAttributeNames: ['name'] }],
      ['RevokeToken', { ClientId: service.clientId, Token: RefreshToken }],
    ];
    for (const [operation, input] of sent) {
      const { status, text, headers } = await service.call(operation, input);
      assert.equal(status, 200, `${operation} ${text}`);
      assert.ok(typeof JSON.parse(text) === 'object', operation);
      assert.equal(headers['content-type'], 'application/x-amz-json-1.1', operation);
    }
    assert.equal((await service.call('ForgetDevice', { AccessToken, DeviceKey })).text, '');
    assert.equal((await service.call('DeleteUser', { AccessToken })).text, '');
  });

  it('15. pages of any origin can read the headers that name an error', async () => {
    const origin = { origin: 'https://app.example' };
    const { headers } = await service.call('GetUser', { AccessToken: 'a.b.c' }, origin);
    assert.equal(headers['access-control-allow-origin'], '*');
    const exposed = String(headers['access-control-expose-headers']).toLowerCase();
    for (const name of ['x-amzn-requestid', 'x-amzn-errortype', 'x-amzn-errormessage', 'date']) {
      assert.ok(exposed.includes(name), name);
    }
    assert.equal(headers['x-amzn-errortype'], 'NotAuthorizedException:');
    assert.match(String(headers['x-amzn-requestid']), /^[\da-f-]{36}$/);
  });

  it('16. dates are numbers in seconds', async () => {
    const { AccessToken } = await device(await newUser(), false);
    const { body } = await service.call('ListDevices', { AccessToken });
    const [first] = body.Devices as readonly Readonly<Record<string, number>>[];
    for (const name of ['DeviceCreateDate', 'DeviceLastModifiedDate', 'DeviceLastAuthenticatedDate']) {
      assert.equal(Math.round(first?.[name] ?? 0), Math.round(service.clock.now() / 1_000), name);
    }
  });

  it('17. a Session has 20 to 2048 characters', async () => {
    const totp = await withTotp();
    const steps = [
      requireStep(await initiate(service, 'USER_AUTH', { USERNAME: ADA })),
      requireStep(await initiate(service, 'USER_AUTH', { USERNAME: ADA, PREFERRED_CHALLENGE: 'EMAIL_OTP' })),
      requireStep(await logIn(service, totp.username)),
    ];
    for (const { ChallengeName, Session = '' } of steps) {
      assert.ok(Session.length >= 20 && Session.length <= 2_048, `${ChallengeName}: ${Session.length}`);
    }
  });

  it('18. email_verified is a boolean in the ID token and a text in lists', async () => {
    const { IdToken, AccessToken } = await logInForTokens(ADA);
    assert.equal(decodeTokenPart(IdToken, 1).email_verified, true);
    const { body } = await service.call('GetUser', { AccessToken });
    const attributes = body.UserAttributes as readonly { readonly Name: string; readonly Value: unknown }[];
    assert.equal(attributes.find(({ Name }) => Name === 'email_verified')?.Value, 'true');
  });

  it('19. aud is in the ID token only, client_id in the access token only, token_use in both', async () => {
    const { IdToken, AccessToken } = await logInForTokens(ADA);
    const [id, access] = [decodeTokenPart(IdToken, 1), decodeTokenPart(AccessToken, 1)];
    assert.deepEqual([id.aud, id.client_id, id.token_use], [service.clientId, undefined, 'id']);
    assert.deepEqual([access.aud, access.client_id, access.token_use], [undefined, service.clientId, 'access']);
  });

  it('20. tokens are signed with RS256 and a key for each kind, published below the issuer', async () => {
    const { IdToken, AccessToken } = await logInForTokens(ADA);
    const heads = [IdToken, AccessToken].map((token) => decodeTokenPart(token, 0));
    for (const head of heads) assert.deepEqual(Object.keys(head).toSorted(), ['alg', 'kid']);
    assert.deepEqual(
      heads.map(({ alg }) => alg),
      ['RS256', 'RS256'],
    );
    assert.notEqual(heads[0]?.kid, heads[1]?.kid);
    const { body } = await service.get(`/${service.userPoolId}/.well-known/jwks.json`);
    const kids = (body.keys as readonly { readonly kid: string }[]).map(({ kid }) => kid);
    for (const { kid } of heads) assert.ok(kids.includes(String(kid)));
    assert.ok(String(decodeTokenPart(AccessToken, 1).iss).endsWith(`/${service.userPoolId}`));
  });

  it('21. origin_jti is in both tokens, so that clients revoke at sign-out', async () => {
    const { IdToken, AccessToken } = await logInForTokens(ADA);
    const origin = decodeTokenPart(AccessToken, 1).origin_jti;
    assert.match(String(origin), /^[\da-f-]{36}$/);
    assert.equal(decodeTokenPart(IdToken, 1).origin_jti, origin);
  });

  it('22. a refresh returns a new refresh token only if they rotate', async () => {
    const client = { UserPoolId: service.userPoolId, ClientName: 'without rotation' };
    const ExplicitAuthFlows = ['ALLOW_USER_PASSWORD_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'];
    const made = await service.call('CreateUserPoolClient', { ...client, ExplicitAuthFlows }, service.asAdmin);
    assert.equal(made.status, 200, made.text);
    const { ClientId } = made.body.UserPoolClient as { readonly ClientId: string };
    const password = { USERNAME: ADA, PASSWORD };
    const first = requireTokens(await initiate(service, 'USER_PASSWORD_AUTH', password, ClientId));
    const { RefreshToken = '' } = first;
    const byFlow = await initiate(service, 'REFRESH_TOKEN_AUTH', { REFRESH_TOKEN: RefreshToken }, ClientId);
    const byOperation = await service.call('GetTokensFromRefreshToken', { ClientId, RefreshToken });
    for (const answer of [byFlow, byOperation]) {
      const result = requireTokens(answer);
      assert.ok(result.AccessToken && result.IdToken);
      assert.deepEqual([result.RefreshToken, result.NewDeviceMetadata], [undefined, undefined]);
    }
    const rotating = requireTokens(
      await service.call('GetTokensFromRefreshToken', {
        ClientId: service.clientId,
        RefreshToken: (await logInForTokens(ADA)).RefreshToken,
      }),
    );
    assert.ok(rotating.RefreshToken);
  });

  it('23. a limit has an error name that the AWS SDK retries', async () => {
    const limited = await startTestService({ limitLoginSteps: 1 });
    const { url: endpoint, clientId: ClientId } = limited;
    const sdk = new CognitoIdentityProviderClient({ endpoint, region: 'us-east-1', maxAttempts: 2 });
    const AuthParameters = { USERNAME: ADA };
    const begin = () => sdk.send(new InitiateAuthCommand({ ClientId, AuthFlow: 'USER_AUTH', AuthParameters }));
    try {
      await begin();
      await assert.rejects(begin(), (error: Error & { readonly $metadata: { readonly attempts: number } }) => {
        assert.equal(error.name, 'TooManyRequestsException');
        assert.equal(error.$metadata.attempts, 2);
        return true;
      });
    } finally {
      sdk.destroy();
      await limited.close();
    }
  });

  it('24. aws-jwt-verify accepts the pool ID as Cognito’s', async () => {
    assert.match(service.userPoolId, /^us-east-1_[\da-zA-Z]{9}$/);
    const { AccessToken } = await logInForTokens(ADA);
    const { userPoolId, clientId } = service;
    const rules = { userPoolId, clientId, tokenUse: 'access', graceSeconds: 1_000_000_000 } as const;
    const verifier = CognitoJwtVerifier.create(rules);
    const { body } = await service.get(`/${userPoolId}/.well-known/jwks.json`);
    verifier.cacheJwks(body as unknown as Parameters<typeof verifier.cacheJwks>[0]);
    assert.equal(verifier.verifySync(AccessToken).client_id, clientId);
  });

  it('25. a code has 8 digits as the first factor, and 6 as the second', async () => {
    const asked = requireStep(
      await initiate(service, 'USER_AUTH', { USERNAME: ADA, PREFERRED_CHALLENGE: 'EMAIL_OTP' }),
    );
    const code = findLastCode(service, ADA);
    assert.match(code, /^\d{8}$/);
    requireTokens(await respond(service, 'EMAIL_OTP', { USERNAME: ADA, EMAIL_OTP_CODE: code }, asked.Session));
    const totp = await withTotp();
    assert.match(totp.code(), /^\d{6}$/);
  });
});
