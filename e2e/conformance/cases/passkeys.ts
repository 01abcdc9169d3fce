import assert from 'node:assert/strict';
import { SoftwareAuthenticator } from '../../../packages/pool/src/testing/software-authenticator.ts';
import { startChoiceLogin } from '../../../packages/pool/src/testing/test-logins.ts';
import {
  answerPasskey,
  completeRegistration,
  readRequestOptions,
  registerPasskey,
  startPasskeyLogin,
  startRegistration,
} from '../../../packages/pool/src/testing/test-passkeys.ts';
import { TEST_CALL } from '../../../packages/pool/src/testing/test-pool.ts';
import { requireTokens } from '../../../packages/pool/src/testing/test-tokens.ts';
import type { Case, Subject } from '../subject.ts';
import { assertNow, assertRefuses, newLoggedInUser } from '../users.ts';

async function withPasskey(subject: Subject) {
  const user = await newLoggedInUser(subject);
  const authenticator = new SoftwareAuthenticator({ origin: subject.origin });
  const id = await registerPasskey(subject, user.tokens.access, authenticator);
  return { ...user, authenticator, id };
}

/** Passkeys. */
export const PASSKEY_CASES = {
  CompleteWebAuthnRegistration: [
    {
      does: 'takes a passkey, with which the user logs in',
      needs: ['passkeys'],
      async run(subject) {
        const { name, authenticator, id } = await withPasskey(subject);
        const step = await startPasskeyLogin(subject, name);
        assert.deepEqual(
          readRequestOptions(step).allowCredentials.map((credential) => credential.id),
          [id],
        );
        requireTokens(await answerPasskey(subject, step, name, authenticator));
      },
    },
    {
      does: 'refuses a passkey of another page',
      needs: ['passkeys'],
      async run(subject) {
        const { tokens } = await newLoggedInUser(subject);
        const authenticator = new SoftwareAuthenticator({ origin: subject.origin });
        const options = await startRegistration(subject, tokens.access);
        const credential = authenticator.register(options, { origin: 'https://evil.example' });
        const act = completeRegistration(subject, tokens.access, credential);
        await assertRefuses(act, 'WebAuthnOriginNotAllowedException');
      },
    },
    {
      does: 'refuses what nobody asked for',
      async run(subject) {
        const { tokens } = await newLoggedInUser(subject);
        const act = completeRegistration(subject, tokens.access, { id: 'AAAA', rawId: 'AAAA', type: 'public-key' });
        await assert.rejects(act, { name: 'ProviderError' });
      },
    },
  ],
  DeleteWebAuthnCredential: [
    {
      does: 'removes a passkey',
      needs: ['passkeys'],
      async run(subject) {
        const { name, tokens, id } = await withPasskey(subject);
        const asked = { AccessToken: tokens.access, CredentialId: id };
        assert.deepEqual(await subject.operations.deleteWebAuthnCredential(asked, TEST_CALL), {});
        const { AvailableChallenges = [] } = await startChoiceLogin(subject, name);
        assert.equal(AvailableChallenges.includes('WEB_AUTHN'), false);
      },
    },
    {
      does: 'refuses a passkey that the user does not have',
      async run(subject) {
        const { tokens } = await newLoggedInUser(subject);
        const asked = { AccessToken: tokens.access, CredentialId: 'AAAAAAAAAAAAAAAAAAAAAA' };
        const act = subject.operations.deleteWebAuthnCredential(asked, TEST_CALL);
        await assertRefuses(act, 'ResourceNotFoundException', 'passkey_not_found');
      },
    },
  ],
  ListWebAuthnCredentials: [
    {
      does: 'lists the own passkeys',
      needs: ['passkeys'],
      async run(subject) {
        const { tokens, id } = await withPasskey(subject);
        const { Credentials } = await subject.operations.listWebAuthnCredentials(
          { AccessToken: tokens.access },
          TEST_CALL,
        );
        assert.deepEqual(
          Credentials.map(({ CredentialId }) => CredentialId),
          [id],
        );
        assert.equal(Credentials[0]?.RelyingPartyId, new URL(subject.origin).hostname);
        assertNow(subject, Credentials[0]?.CreatedAt);
      },
    },
    {
      does: 'lists none where there is none',
      async run(subject) {
        const { tokens } = await newLoggedInUser(subject);
        const { Credentials } = await subject.operations.listWebAuthnCredentials(
          { AccessToken: tokens.access },
          TEST_CALL,
        );
        assert.deepEqual(Credentials, []);
      },
    },
  ],
  StartWebAuthnRegistration: [
    {
      does: 'gives creation options as an object',
      needs: ['passkeys'],
      async run(subject) {
        const { tokens } = await newLoggedInUser(subject);
        const options = await startRegistration(subject, tokens.access);
        assert.equal(options.rp.id, new URL(subject.origin).hostname);
        assert.ok(options.challenge.length >= 22 && options.user.id !== '');
      },
    },
  ],
} as const satisfies Readonly<Record<string, readonly Case[]>>;
