import assert from 'node:assert/strict';
import { TEST_CALL } from '../../../packages/pool/src/testing/test-pool.ts';
import { decodeTokenPart } from '../../../packages/pool/src/testing/test-tokens.ts';
import type { Case, Subject } from '../subject.ts';
import { assertRefuses, loggedIn, newLoggedInUser } from '../users.ts';

const refresh = ({ operations, clientId }: Subject, RefreshToken: string) =>
  operations.getTokensFromRefreshToken({ ClientId: clientId, RefreshToken }, TEST_CALL);

/** What ends and renews tokens. */
export const TOKEN_CASES = {
  GetTokensFromRefreshToken: [
    {
      does: 'gives tokens of the same login',
      async run(subject) {
        const { tokens } = await newLoggedInUser(subject);
        const { AuthenticationResult: result } = await refresh(subject, tokens.refresh);
        assert.ok(result?.AccessToken && result.IdToken && result.ExpiresIn);
        const [before, now] = [decodeTokenPart(tokens.access, 1), decodeTokenPart(result.AccessToken, 1)];
        assert.deepEqual([now.sub, now.origin_jti], [before.sub, before.origin_jti]);
        assert.equal(result.NewDeviceMetadata, undefined);
      },
    },
    {
      does: 'refuses what is no refresh token',
      async run(subject) {
        await assertRefuses(refresh(subject, 'not-a-refresh-token'), 'NotAuthorizedException', 'invalid_grant');
      },
    },
  ],
  GlobalSignOut: [
    {
      does: 'ends every login',
      async run(subject) {
        const user = await newLoggedInUser(subject);
        const other = await loggedIn(subject, user);
        assert.deepEqual(await subject.operations.globalSignOut({ AccessToken: user.tokens.access }, TEST_CALL), {});
        for (const { access, refresh: token } of [user.tokens, other]) {
          const act = subject.operations.getUser({ AccessToken: access }, TEST_CALL);
          await assertRefuses(act, 'NotAuthorizedException', 'invalid_token');
          await assertRefuses(refresh(subject, token), 'NotAuthorizedException', 'invalid_grant');
        }
      },
    },
  ],
  RevokeToken: [
    {
      does: 'ends one login and no other',
      async run(subject) {
        const user = await newLoggedInUser(subject);
        const other = await loggedIn(subject, user);
        const { operations, clientId: ClientId } = subject;
        assert.deepEqual(await operations.revokeToken({ ClientId, Token: user.tokens.refresh }, TEST_CALL), {});
        await assertRefuses(refresh(subject, user.tokens.refresh), 'NotAuthorizedException', 'invalid_grant');
        const act = operations.getUser({ AccessToken: user.tokens.access }, TEST_CALL);
        await assertRefuses(act, 'NotAuthorizedException', 'invalid_token');
        assert.ok((await refresh(subject, other.refresh)).AuthenticationResult?.AccessToken);
      },
    },
  ],
} as const satisfies Readonly<Record<string, readonly Case[]>>;
