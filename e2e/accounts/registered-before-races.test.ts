import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Exchange } from '../support/requests/exchange.ts';
import { REGISTRATION_APIS, readSub, SQUATTER_PASSWORD } from '../support/routes/registration-apis.ts';
import { findLastCode } from '../support/routes/route-account.ts';
import { PASSWORD, startTestService, type TestService } from '../support/services/test-service.ts';

const ROUNDS = 4;

interface Rival {
  readonly name: string;
  /** Runs while the attacker's registration holds the name. Its result runs in parallel with the owner's confirmation. */
  ready(service: TestService, email: string): Promise<() => Promise<Exchange>>;
}

const admin = (service: TestService, operation: string, input: object) =>
  service.call(operation, { UserPoolId: service.userPoolId, ...input }, service.asAdmin);

const RIVALS: readonly Rival[] = [
  {
    name: 'a login by a code to the same address',
    async ready(service, email) {
      const { clientId: ClientId } = service;
      const AuthParameters = { USERNAME: email, PREFERRED_CHALLENGE: 'EMAIL_OTP' };
      const { body } = await service.call('InitiateAuth', { AuthFlow: 'USER_AUTH', ClientId, AuthParameters });
      const ChallengeResponses = { USERNAME: email, EMAIL_OTP_CODE: findLastCode(service, email) };
      const input = { ClientId, ChallengeName: 'EMAIL_OTP', Session: body.Session, ChallengeResponses };
      return () => service.call('RespondToAuthChallenge', input);
    },
  },
  {
    name: 'an administrator who confirms',
    ready: async (service, email) => () => admin(service, 'AdminConfirmSignUp', { Username: email }),
  },
  {
    name: 'an administrator who makes a user of the proven address',
    async ready(service, email) {
      const UserAttributes = [
        { Name: 'email', Value: email },
        { Name: 'email_verified', Value: 'true' },
      ];
      return () => admin(service, 'AdminCreateUser', { Username: email, UserAttributes, MessageAction: 'SUPPRESS' });
    },
  },
  {
    name: 'an administrator who deletes',
    ready: async (service, email) => () => admin(service, 'AdminDeleteUser', { Username: email }),
  },
];

describe('races with the confirmation of a registration', () => {
  let service: TestService;
  let cases = 0;
  before(async () => {
    const firstFactors = ['PASSWORD', 'EMAIL_OTP'] as const;
    service = await startTestService({ firstFactors });
  });
  after(() => service.close());

  for (const entryPoint of REGISTRATION_APIS) {
    for (const rival of RIVALS) {
      it(`at ${entryPoint.name}: the owner confirms in parallel with ${rival.name}: one user gets the name, and never the attacker`, async () => {
        for (let round = 0; round < ROUNDS; round += 1) {
          cases += 1;
          const email = `case${cases}@example.com`;
          await entryPoint.register(service, email, SQUATTER_PASSWORD);
          const act = await rival.ready(service, email);
          const session = await entryPoint.register(service, email, PASSWORD);
          const [isConfirmed, other] = await Promise.all([entryPoint.confirm(service, email, session), act()]);
          assert.ok(other.status < 500, other.text);
          assert.equal(await entryPoint.logIn(service, email, SQUATTER_PASSWORD), undefined);
          const listed = await admin(service, 'ListUsers', { Filter: `email = "${email}"` });
          const users = listed.body.Users as readonly { readonly Username: string; readonly UserStatus: string }[];
          const own = await entryPoint.logIn(service, email, PASSWORD);
          const byCode = await entryPoint.logInByCode(service, email);
          if (isConfirmed && own) assert.equal(byCode && readSub(byCode), readSub(own));
          assert.ok(isConfirmed || other.status === 200, 'one of them was done');
          const confirmed = users.filter(({ UserStatus }) => UserStatus !== 'UNCONFIRMED');
          const proven = await Promise.all(
            confirmed.map(({ Username }) => admin(service, 'AdminGetUser', { Username })),
          );
          const verified = proven.filter(({ text }) => text.includes('{"Name":"email_verified","Value":"true"}'));
          assert.ok(verified.length <= 1, 'one user has the proven address');
          if (isConfirmed && own) assert.equal(verified.length, 1);
        }
      });
    }
  }
});
