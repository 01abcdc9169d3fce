import assert from 'node:assert/strict';
import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { CognitoJwtVerifier } from 'aws-jwt-verify';
import { assertRefused } from '../testing/assert-refused.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import { addUser, openTestPool, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { loginByPassword } from '../testing/test-srp-logins.ts';
import { decodeTokenPart, encodeTokenPart, requireTokens, type Tokens } from '../testing/test-tokens.ts';

const ADA = 'ada@example.com';
const HOUR_MS = 3_600_000;

async function createVerifier(pool: TestPool) {
  const verifier = CognitoJwtVerifier.create({ userPoolId: pool.userPoolId, clientId: pool.clientId, tokenUse: null });
  const keys = await pool.embedded.signingKeys(pool.userPoolId);
  verifier.cacheJwks({ keys: (keys ?? []).map((key) => ({ ...key })) });
  return verifier;
}

function getUser(pool: TestPool, token: string) {
  return pool.operations.getUser({ AccessToken: token }, TEST_CALL);
}

forEachDatabase((database) => {
  describe(`tokens on ${database.name}`, () => {
    let pool: TestPool;
    let username: string;
    const login = async (from: TestPool = pool): Promise<Tokens> => requireTokens(await loginByPassword(from, ADA));

    before(async () => {
      pool = await openTestPool(await database.create());
      // The verifier uses the machine's clock.
      pool.clock.advance(Date.now() - pool.clock.now());
      username = await addUser(pool, ADA);
    });
    after(() => pool.close());

    database.itOnSqlite('are accepted by aws-jwt-verify with the published keys', async () => {
      const { access, id } = await login();
      const verifier = await createVerifier(pool);
      assert.equal((await verifier.verify(access, { tokenUse: 'access' })).username, username);
      assert.equal((await verifier.verify(id, { tokenUse: 'id' })).email, ADA);
      await assert.rejects(verifier.verify(id, { tokenUse: 'access' }));
      await assert.rejects(verifier.verify(`${access.slice(0, -4)}AAAA`, { tokenUse: 'access' }));
    });

    database.itOnSqlite("have Cognito's header and claims, and a separate key for each use", async () => {
      const { access, id } = await login();
      const header = decodeTokenPart(access, 0);
      assert.deepEqual(Object.keys(header), ['kid', 'alg']);
      assert.match(String(header.kid), /^[A-Za-z0-9+/]{43}=$/);
      assert.notEqual(header.kid, decodeTokenPart(id, 0).kid);
      const claims = decodeTokenPart(access, 1);
      assert.equal(claims.iss, `https://cognito-idp.us-east-1.amazonaws.com/${pool.userPoolId}`);
      assert.equal(claims.client_id, pool.clientId);
      assert.equal(Number(claims.exp) - Number(claims.iat), 3_600);
      assert.equal('aud' in claims || 'cognito:groups' in claims, false);
      assert.match(String(claims.device_key), /^us-east-1_[0-9a-f-]{36}$/);
      const { email_verified, aud, origin_jti, event_id, jti } = decodeTokenPart(id, 1);
      assert.deepEqual({ email_verified, aud }, { email_verified: true, aud: pool.clientId });
      assert.equal(origin_jti, claims.origin_jti);
      assert.equal(event_id, claims.event_id);
      assert.notEqual(jti, claims.jti);
    });

    database.itOnSqlite("publish two keys in Cognito's form, without private parts", async () => {
      const keys = (await pool.embedded.signingKeys(pool.userPoolId)) ?? [];
      assert.equal(keys.length, 2);
      for (const key of keys) {
        assert.deepEqual(Object.keys(key).sort(), ['alg', 'e', 'kid', 'kty', 'n', 'use']);
        assert.ok(key.kty === 'RSA');
        assert.equal(Buffer.from(key.n, 'base64url').length, 256);
      }
      assert.equal(await pool.embedded.signingKeys('us-east-1_Nobody000'), undefined);
    });

    database.itOnSqlite('return their user, the sub first', async () => {
      const { access } = await login();
      assert.deepEqual(await getUser(pool, access), {
        Username: username,
        UserAttributes: [
          { Name: 'sub', Value: username },
          { Name: 'email', Value: ADA },
          { Name: 'email_verified', Value: 'true' },
        ],
      });
    });

    database.itOnSqlite('only an access token of this pool, signed with its access key, returns a user', async () => {
      const { access, id, refresh } = await login();
      const [header = '', claims = '', signature = ''] = access.split('.');
      const { kid } = decodeTokenPart(access, 0);
      const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const keys = (await pool.embedded.signingKeys(pool.userPoolId)) ?? [];
      const jwk = keys.find((key) => key.kid === kid);
      assert.ok(jwk);
      const pem = createPublicKey({ key: { ...jwk }, format: 'jwk' }).export({ format: 'pem', type: 'spki' });
      const hmac = (head: object, key: string | Buffer) => {
        const signed = `${encodeTokenPart(head)}.${claims}`;
        return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
      };
      const foreign = (head: object) => {
        const signed = `${encodeTokenPart(head)}.${claims}`;
        return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), own.privateKey).toString('base64url')}`;
      };
      const ownJwk = own.publicKey.export({ format: 'jwk' });
      const forgeries = [
        ...['none', 'None', 'NONE', 'nOnE', '', 'null'].map((alg) => `${encodeTokenPart({ kid, alg })}.${claims}.`),
        `${encodeTokenPart({ kid })}.${claims}.${signature}`,
        hmac({ kid, alg: 'HS256' }, pem),
        hmac({ kid, alg: 'HS256' }, ` ${pem}`),
        hmac({ kid, alg: 'HS256' }, ''),
        foreign({ kid, alg: 'RS256' }),
        foreign({ kid, alg: 'RS256', jwk: ownJwk }),
        foreign({ kid, alg: 'RS256', jku: 'https://evil.example/jwks.json' }),
        foreign({ kid: '../../etc/passwd', alg: 'RS256' }),
        foreign({ kid: 'unknown', alg: 'RS256' }),
        foreign({ alg: 'RS256' }),
        `${encodeTokenPart({ kid, alg: 'RS256', crit: ['b64'], b64: false })}.${claims}.${signature}`,
        `${header}.${encodeTokenPart({ ...decodeTokenPart(access, 1), username: 'root' })}.${signature}`,
        `${header}.${claims}`,
        `${header}.${claims}.`,
        `${access}.x`,
        JSON.stringify({ payload: claims, protected: header, signature }),
        id,
        refresh,
        'x',
        '..',
        '',
      ];
      for (const forged of forgeries) {
        const refusal = await assertRefused(getUser(pool, forged), 'NotAuthorizedException', 'Invalid Access Token');
        assert.equal(refusal.reason, 'invalid_token');
      }
      assert.equal((await getUser(pool, access)).Username, username);
    });

    database.itOnSqlite('a token of another pool in the same store is refused even if its client is not', async () => {
      const { access } = await login();
      const other = await pool.embedded.setUp({ userPoolId: 'us-east-1_Other0001', clientId: 'otherclient' });
      const moved = `${access.split('.')[0]}.${encodeTokenPart({ ...decodeTokenPart(access, 1), client_id: other.client.id })}.${access.split('.')[2]}`;
      await assertRefused(getUser(pool, moved), 'NotAuthorizedException', 'Invalid Access Token');
    });

    database.itOnSqlite('an access token expires with the second', async () => {
      const { access } = await login();
      const endsMs = Number(decodeTokenPart(access, 1).exp) * 1000;
      pool.clock.advance(endsMs - 1 - pool.clock.now());
      assert.equal((await getUser(pool, access)).Username, username);
      pool.clock.advance(1);
      const refusal = await assertRefused(getUser(pool, access), 'NotAuthorizedException', 'Access Token has expired');
      assert.equal(refusal.reason, 'invalid_token');
    });

    database.itOnSqlite(
      'a token that was accepted before is refused once its pool has another issuer',
      async (context) => {
        const own = await openTestPool(await database.create());
        context.after(() => own.close());
        const name = await addUser(own, ADA);
        const { access } = await login(own);
        assert.equal((await getUser(own, access)).Username, name);
        assert.equal((await getUser(own, access)).Username, name);
        const UserPoolId = own.userPoolId;
        await own.operations.updateUserPool({ UserPoolId, IssuerConfiguration: { Type: 'UPDATED' } }, TEST_CALL);
        await assertRefused(getUser(own, access), 'NotAuthorizedException', 'Invalid Access Token');
        await own.operations.updateUserPool({ UserPoolId, IssuerConfiguration: { Type: 'ORIGINAL' } }, TEST_CALL);
        assert.equal((await getUser(own, access)).Username, name);
      },
    );

    database.itOnSqlite('no longer return a user who is disabled, must reset the password, or is gone', async () => {
      const name = await addUser(pool, 'eve@example.com');
      const { access } = requireTokens(await loginByPassword(pool, 'eve@example.com'));
      const change = (fields: object) =>
        pool.store.write((transaction) =>
          transaction.users.update(pool.userPoolId, name, { ...fields, modifiedAtMs: pool.clock.now() }),
        );
      await change({ enabled: false });
      await assertRefused(getUser(pool, access), 'NotAuthorizedException', 'User is disabled.');
      await change({ enabled: true, status: 'RESET_REQUIRED' });
      await assertRefused(getUser(pool, access), 'PasswordResetRequiredException');
      await change({ status: 'UNCONFIRMED' });
      await assertRefused(getUser(pool, access), 'UserNotConfirmedException', 'User is not confirmed.');
      await change({ status: 'CONFIRMED' });
      assert.equal((await getUser(pool, access)).Username, name);
    });

    it('stay valid when keys rotate, on every replica, and old keys are removed when no token can be valid', async () => {
      const replica = pool.replica();
      const old = await login();
      await getUser(replica, old.access);
      pool.clock.advance(1_000);
      await pool.embedded.rotateKeys(pool.userPoolId);
      const fresh = await login();
      assert.notEqual(decodeTokenPart(fresh.access, 0).kid, decodeTokenPart(old.access, 0).kid);
      assert.notEqual(decodeTokenPart(fresh.id, 0).kid, decodeTokenPart(old.id, 0).kid);
      for (const token of [old.access, fresh.access]) {
        assert.equal((await getUser(pool, token)).Username, username);
        assert.equal((await getUser(replica, token)).Username, username);
      }
      assert.equal((await pool.embedded.signingKeys(pool.userPoolId))?.length, 4);
      await (await createVerifier(pool)).verify(old.access, { tokenUse: 'access' });
      pool.clock.advance(5_000);
      assert.equal(decodeTokenPart((await login(replica)).access, 0).kid, decodeTokenPart(fresh.access, 0).kid);
      pool.clock.advance(25 * HOUR_MS);
      const kids = (await pool.embedded.signingKeys(pool.userPoolId))?.map((key) => key.kid);
      assert.deepEqual(kids?.sort(), [decodeTokenPart(fresh.access, 0).kid, decodeTokenPart(fresh.id, 0).kid].sort());
    });

    it("with a key from another replica's rotation are accepted at once, whatever invented key IDs were used before", async () => {
      const replica = pool.replica();
      const [header = '', ...rest] = (await login()).access.split('.');
      pool.clock.advance(1_000);
      for (const kid of ['invented', 'another']) {
        const forged = { ...JSON.parse(Buffer.from(header, 'base64url').toString()), kid };
        const token = [Buffer.from(JSON.stringify(forged)).toString('base64url'), ...rest].join('.');
        await assertRefused(getUser(replica, token), 'NotAuthorizedException');
        await replica.embedded.signingKeys(pool.userPoolId);
      }
      await pool.embedded.rotateKeys(pool.userPoolId);
      const { access } = await login();
      assert.equal((await getUser(replica, access)).Username, username);
      const kids = (await replica.embedded.signingKeys(pool.userPoolId))?.map((key) => key.kid);
      assert.ok(kids?.includes(String(decodeTokenPart(access, 0).kid)));
    });
  });
});
