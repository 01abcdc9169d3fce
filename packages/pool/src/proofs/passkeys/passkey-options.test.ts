import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LoginCandidate } from '../../identity/login-candidate.ts';
import type { PoolReads } from '../../store/pool-store.ts';
import type { PasskeyRecord, UserRecord, UserStatus } from '../../store/records.ts';
import { WEB_AUTHN } from '../../testing/test-passkeys.ts';
import { createMacPorts, createTestPoolRecord } from '../../testing/test-ports.ts';
import { deriveDecoyPasskeys } from './decoy-passkeys.ts';
import {
  belongsToRelyingParty,
  canLogInByPasskey,
  createDiscoverableRequestOptions,
  createPasskeyCreationOptions,
  createPasskeyRequestOptions,
  findPasskeySettings,
  generatePasskeyChallenge,
  listUsablePasskeys,
  MAX_PASSKEYS,
  requirePasskeySettings,
  toUserHandle,
} from './passkey-options.ts';

const ports = createMacPorts();
const base = createTestPoolRecord();
const pool = { ...base, settings: { ...base.settings, webAuthn: WEB_AUTHN } };
const user = {
  username: 'ada',
  sub: 'sub-1',
  status: 'CONFIRMED',
  attributes: { email: 'ada@example.com' },
} as unknown as UserRecord;
const own = { credentialId: 'YQ', transports: ['usb'], relyingPartyId: 'localhost' } as unknown as PasskeyRecord;
const former = { ...own, credentialId: 'Yg', relyingPartyId: 'example.com' };

describe('the passkeys of a pool', () => {
  it('are available if a login can start with one', () => {
    const { settings } = pool;
    assert.equal(findPasskeySettings(settings), WEB_AUTHN);
    assert.equal(findPasskeySettings({ ...settings, webAuthn: null }), undefined);
    assert.equal(findPasskeySettings({ ...settings, firstFactors: ['PASSWORD'] }), undefined);
    assert.equal(requirePasskeySettings(pool), WEB_AUTHN);
    assert.throws(() => requirePasskeySettings(base), { code: 'WebAuthnNotEnabledException' });
    assert.equal(MAX_PASSKEYS, 20);
  });

  it("are usable for the pool's relying party, by users without a temporary password", async () => {
    const asked: string[][] = [];
    const listOf = async (...whose: string[]) => {
      asked.push(whose);
      return [former, own];
    };
    const store = { passkeys: { listOf } } as unknown as PoolReads;
    assert.deepEqual(await listUsablePasskeys(store, pool, 'ada'), [own]);
    assert.deepEqual(await listUsablePasskeys(store, base, 'ada'), []);
    assert.deepEqual(asked, [[pool.id, 'ada']]);
    assert.deepEqual(
      [own, former].map((passkey) => belongsToRelyingParty(WEB_AUTHN, passkey)),
      [true, false],
    );
    const statuses: readonly UserStatus[] = ['CONFIRMED', 'UNCONFIRMED', 'RESET_REQUIRED', 'FORCE_CHANGE_PASSWORD'];
    assert.deepEqual(
      statuses.map((status) => canLogInByPasskey({ status })),
      [true, true, true, false],
    );
  });

  it('are created and requested with the options in the specification, with challenges of 32 bytes', () => {
    assert.equal(
      generatePasskeyChallenge((length) => new Uint8Array(length)),
      'A'.repeat(43),
    );
    assert.equal(toUserHandle(user), Buffer.from('sub-1').toString('base64url'));
    assert.deepEqual(createPasskeyCreationOptions(pool, WEB_AUTHN, user, 'c', [own]), {
      challenge: 'c',
      rp: { name: 'localhost', id: 'localhost' },
      user: { id: toUserHandle(user), name: 'ada@example.com', displayName: 'ada@example.com' },
      pubKeyCredParams: [
        { type: 'public-key', alg: -7 },
        { type: 'public-key', alg: -257 },
      ],
      timeout: 60_000,
      excludeCredentials: [{ type: 'public-key', id: 'YQ' }],
      authenticatorSelection: { requireResidentKey: true, residentKey: 'required', userVerification: 'preferred' },
    });
    assert.deepEqual(createDiscoverableRequestOptions(WEB_AUTHN, 'c'), {
      challenge: 'c',
      timeout: 180_000,
      rpId: 'localhost',
      userVerification: 'preferred',
    });
  });

  it('are the user’s own if usable, otherwise decoys of the name', () => {
    const allowed = (found: Partial<UserRecord> | undefined, passkeys: readonly PasskeyRecord[]) => {
      const candidate = { userId: 'ada', found: found && { user: { ...user, ...found } } } as LoginCandidate;
      const options = createPasskeyRequestOptions(ports, pool, WEB_AUTHN, { challenge: 'c', candidate, passkeys });
      const { allowCredentials, ...rest } = options;
      assert.deepEqual(rest, { challenge: 'c', timeout: 180_000, rpId: 'localhost', userVerification: 'preferred' });
      return allowCredentials;
    };
    const decoys = deriveDecoyPasskeys(ports, pool, 'ada').map(({ credentialId, transports }) => ({
      type: 'public-key',
      id: credentialId,
      transports,
    }));
    assert.deepEqual(allowed({}, [own]), [{ type: 'public-key', id: 'YQ', transports: ['usb'] }]);
    assert.deepEqual(allowed({}, []), decoys);
    assert.deepEqual(allowed(undefined, [own]), decoys);
    assert.deepEqual(allowed({ status: 'FORCE_CHANGE_PASSWORD' }, [own]), decoys);
  });
});
