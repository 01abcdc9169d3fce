import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { logInForAccessToken } from '../support/routes/route-mfa.ts';
import {
  answerPasskey,
  completeRegistration,
  createAuthenticator,
  createRegisteredPasskey,
  startPasskeyLogin,
  startPasskeyService,
  startRegistration,
} from '../support/routes/route-passkeys.ts';
import { addUser, assertProblem, type TestService } from '../support/services/test-service.ts';

const ADA = 'ada@example.com';
const FOREIGN_ORIGIN = { origin: 'https://evil.example' };

describe('the log of refused passkeys', () => {
  let service: TestService;
  const lines: string[] = [];
  before(async () => {
    service = await startPasskeyService({ logStream: { write: (line) => lines.push(...line.trim().split('\n')) } });
    await addUser(service, ADA);
  });
  after(() => service.close());

  const findRefusals = (requestId: unknown) =>
    lines
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
      .filter((line) => line.requestId === requestId && String(line.msg).startsWith('A passkey'))
      .map(({ reason, msg }) => ({ reason, msg }));

  it('gives the reason of a refused login with the request ID, and nothing that was sent', async () => {
    const authenticator = createAuthenticator();
    await createRegisteredPasskey(service, ADA, authenticator);
    const challenge = await startPasskeyLogin(service, ADA);
    const assertion = authenticator.assert(challenge.options, FOREIGN_ORIGIN);
    const answer = await answerPasskey(service, challenge, assertion);
    assertProblem(answer, 401, 'invalid_credentials');
    assert.deepEqual(findRefusals(answer.headers['x-request-id']), [
      {
        reason: 'origin',
        msg: 'A passkey assertion was rejected. The page has an origin that is not allowed, or is in a frame.',
      },
    ]);
    const log = lines.join('\n');
    for (const secret of [assertion.id, assertion.response.signature, assertion.response.clientDataJSON]) {
      assert.ok(!log.includes(secret));
    }
  });

  it('gives the reason of a refused registration', async () => {
    const access = await logInForAccessToken(service, ADA);
    const credential = createAuthenticator().register(await startRegistration(service, access), { fmt: 'apple' });
    const answer = await completeRegistration(service, access, credential);
    assertProblem(answer, 400, 'invalid_credential');
    assert.deepEqual(findRefusals(answer.headers['x-request-id']), [
      {
        reason: 'attestation_format',
        msg: 'A passkey attestation was rejected. The attestation format is not supported.',
      },
    ]);
  });
});
