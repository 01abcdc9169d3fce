import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDefaultPoolSettings } from './default-settings.ts';
import { applyDesiredSettings } from './desired-settings.ts';

const DEFAULTS = createDefaultPoolSettings('https://issuer.example', 'OPTIONAL');
const PARTY = { relyingPartyId: 'app.example', origins: ['https://app.example'] };

describe('the passkey settings of a start', () => {
  it('require user verification, and count as both factors', () => {
    const { webAuthn } = applyDesiredSettings(DEFAULTS, { webAuthn: PARTY });
    const both = { userVerification: 'preferred', factorConfiguration: 'MULTI_FACTOR_WITH_USER_VERIFICATION' };
    assert.deepEqual(webAuthn, { ...both, ...PARTY });
  });

  it('keep the rest as administrators chose', () => {
    const chosen = { userVerification: 'required', factorConfiguration: 'SINGLE_FACTOR' } as const;
    const known = { ...DEFAULTS, webAuthn: { relyingPartyId: 'old.example', origins: [], ...chosen } };
    assert.deepEqual(applyDesiredSettings(known, { webAuthn: PARTY }).webAuthn, { ...chosen, ...PARTY });
    assert.equal(applyDesiredSettings(known, {}).webAuthn, known.webAuthn);
    assert.equal(applyDesiredSettings(known, { webAuthn: null }).webAuthn, null);
  });
});
