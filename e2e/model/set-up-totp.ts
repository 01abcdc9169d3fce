import assert from 'node:assert/strict';
import { computeTotpCode } from '../support/routes/route-mfa.ts';
import { totpSecret } from './ledger.ts';
import { type Run, summarize } from './run.ts';
import type { Chain } from './state.ts';

const STEP_MS = 30_000;

/** Sets up an authenticator with the session of MFA_SETUP. False if the service must refuse that and did. */
export async function setUpTotp(run: Run, chain: Chain): Promise<boolean> {
  const { service } = run.modelled;
  const { user } = chain;
  const isAlive =
    !chain.isSpent && run.nowMs < chain.expiresAtMs && chain.passwordVersion === user.passwordVersion && !user.hasTotp;
  const body = { session: chain.session, username: user.email };
  const activated = await service.post('/user/mfa/activate', body);
  if (!isAlive) {
    assert.equal(activated.status, 401, `an authenticator on a session that is no good: ${summarize(activated)}`);
    return false;
  }
  assert.equal(activated.status, 200, summarize(activated));
  renew(run, chain, activated.body.session);
  const secretCode = String(activated.body.SecretCode);
  user.pendingTotp = secretCode;
  const proof = { session: chain.session, code: computeTotpCode(service, secretCode) };
  const verified = await service.post('/user/mfa/verify', proof);
  if (user.guesses.ENROLMENT.isLocked(run.nowMs)) {
    assert.equal(verified.status, 429, summarize(verified));
    return false;
  }
  assert.equal(verified.status, 200, summarize(verified));
  renew(run, chain, verified.body.session);
  const step = Math.floor(run.nowMs / STEP_MS);
  run.ledger.accept(totpSecret(user, step));
  run.ledger.cover('T22');
  user.totp = { secretCode, lastStep: step };
  user.pendingTotp = undefined;
  chain.totpProven = true;
  return true;
}

/** Each step of the setup consumes the session and returns another one. */
function renew(run: Run, chain: Chain, session: unknown): void {
  chain.session = String(session);
  chain.expiresAtMs = run.nowMs + 180_000;
  chain.answers = 0;
}
