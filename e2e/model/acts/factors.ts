import assert from 'node:assert/strict';
import fc from 'fast-check';
import { computeTotpCode } from '../../support/routes/route-mfa.ts';
import { wrongTotp } from '../answers.ts';
import { totpSecret } from '../ledger.ts';
import { type Run, summarize } from '../run.ts';
import type { Grant, ModelUser } from '../state.ts';
import type { MfaMethod } from '../transitions.ts';
import { act, bearer, isFresh, pick, pickGrant, revokeGrants, revokeOtherGrants } from './act.ts';

const number = fc.nat(1000);
const STEP_MS = 30_000;

/** Valid tokens that may change a factor. If they are too old, the service must say so. */
async function freshGrant(run: Run, at: number): Promise<Grant | undefined> {
  const grant = pickGrant(run, at);
  if (grant === undefined || run.modelled.setting.rules.mfa === 'OFF') return undefined;
  if (isFresh(run, grant)) return grant;
  const answer = await run.modelled.service.post('/user/mfa/activate', {}, bearer(grant));
  assert.deepEqual([answer.status, answer.body.code], [403, 'reauthentication_required'], summarize(answer));
  return undefined;
}

/** POST /user/mfa/activate, with or without its code. */
export const enrolTotp = act({
  weight: 3,
  args: fc.record({ at: number, proof: fc.constantFrom('right', 'right', 'wrong', 'none') }),
  async perform(run, { at, proof }) {
    const grant = await freshGrant(run, at);
    if (grant === undefined || !run.modelled.setting.rules.methods.includes('SOFTWARE_TOKEN_MFA')) return;
    const { user } = grant;
    const { service } = run.modelled;
    const activated = await service.post('/user/mfa/activate', {}, bearer(grant));
    assert.equal(activated.status, 200, summarize(activated));
    const secretCode = String(activated.body.SecretCode);
    user.pendingTotp = secretCode;
    if (proof === 'none') return;
    const code = proof === 'right' ? computeTotpCode(service, secretCode) : wrongTotp(run, secretCode);
    const verified = await service.post('/user/mfa/verify', { code }, bearer(grant));
    if (user.guesses.ENROLMENT.isLocked(run.nowMs)) return assert.equal(verified.status, 429, summarize(verified));
    if (proof === 'wrong') return refuseWrong(run, user, verified.status);
    assert.equal(verified.status, 200, summarize(verified));
    activate(run, user, secretCode);
    await revokeOtherGrants(run, grant);
  },
});

function refuseWrong(run: Run, user: ModelUser, status: number): void {
  assert.equal(status, 400);
  user.guesses.ENROLMENT.count(run.nowMs, true);
  run.ledger.guessed(user.username, 'ENROLMENT', run.nowMs);
}

function activate(run: Run, user: ModelUser, secretCode: string): void {
  const step = Math.floor(run.nowMs / STEP_MS);
  if (user.totp !== undefined) user.distrustDevices();
  run.ledger.cover('T22');
  // A replaced authenticator has used its own steps. The new one has shown only this one.
  user.totp = { secretCode, lastStep: Math.max(step, user.totp?.lastStep ?? 0) };
  if (user.totp.lastStep === step) run.ledger.accept(`${totpSecret(user, step)} ${secretCode}`);
  user.pendingTotp = undefined;
  user.methods.add('SOFTWARE_TOKEN_MFA');
  const [first] = run.modelled.setting.rules.methods;
  if (first === 'SOFTWARE_TOKEN_MFA') user.preferred = first;
}

/** PUT /user/mfa/preference. */
export const preferFactor = act({
  weight: 2,
  args: fc.record({
    at: number,
    method: fc.constantFrom<MfaMethod>('SMS_MFA', 'EMAIL_OTP', 'SOFTWARE_TOKEN_MFA'),
    isOn: fc.constantFrom(true, true, false),
    isPreferred: fc.boolean(),
  }),
  async perform(run, { at, method, isOn, isPreferred }) {
    const grant = await freshGrant(run, at);
    if (grant === undefined || !run.modelled.setting.rules.methods.includes(method)) return;
    const { user } = grant;
    const body = { methods: { [method]: isOn }, ...(isOn && isPreferred ? { preferred: method } : {}) };
    const sent = { headers: bearer(grant), body };
    const answer = await run.modelled.service.ask('PUT', '/user/mfa/preference', sent);
    const has = { SOFTWARE_TOKEN_MFA: user.hasTotp, SMS_MFA: user.phone !== undefined, EMAIL_OTP: true }[method];
    if (isOn && !has) return assert.equal(answer.status, 422, summarize(answer));
    assert.equal(answer.status, 200, summarize(answer));
    await revokeOtherGrants(run, grant);
    if (isOn) switchOn(user, method, isPreferred);
    else switchOff(user, [method]);
  },
});

function switchOn(user: ModelUser, method: MfaMethod, isPreferred: boolean): void {
  user.methods.add(method);
  if (isPreferred) user.preferred = method;
}

function switchOff(user: ModelUser, methods: readonly MfaMethod[]): void {
  if (methods.some((method) => user.methods.has(method))) user.distrustDevices();
  for (const method of methods) {
    user.methods.delete(method);
    if (user.preferred === method) user.preferred = undefined;
  }
}

const ALL: readonly MfaMethod[] = ['SMS_MFA', 'EMAIL_OTP', 'SOFTWARE_TOKEN_MFA'];

/** POST /user/mfa/deactivate, by the user, or /user/mfa/disable, by an administrator. */
export const deactivateMfa = act({
  weight: 1,
  args: fc.record({ at: number, isByAdmin: fc.boolean() }),
  async perform(run, { at, isByAdmin }) {
    const { service } = run.modelled;
    const grant = await freshGrant(run, at);
    if (grant === undefined) return;
    const { user } = grant;
    const answer = isByAdmin
      ? await service.post('/user/mfa/disable', { username: user.email }, service.asAdmin)
      : await service.post('/user/mfa/deactivate', {}, bearer(grant));
    assert.equal(answer.status, 200, summarize(answer));
    if (!isByAdmin) {
      run.ledger.cover('T23');
      await revokeOtherGrants(run, grant);
    } else if (user.methods.size > 0) {
      await revokeGrants(run, (one) => one.user === user, 'an administrator reset the factors');
      run.releaseLockouts(user);
    }
    switchOff(user, ALL);
  },
});

/** POST /user/mfa/recovery-codes, which invalidates the codes before. */
export const drawRecoveryCodes = act({
  weight: 1,
  args: fc.record({ at: number }),
  async perform(run, { at }) {
    const grant = await freshGrant(run, at);
    if (grant === undefined) return;
    const answer = await run.modelled.service.post('/user/mfa/recovery-codes', {}, bearer(grant));
    assert.equal(answer.status, 200, summarize(answer));
    const codes = answer.body.recovery_codes as readonly string[];
    assert.equal(new Set(codes).size, 10);
    await revokeOtherGrants(run, grant);
    grant.user.voidRecoveryCodes.push(...grant.user.recoveryCodes);
    grant.user.recoveryCodes.clear();
    for (const code of codes) grant.user.recoveryCodes.add(code);
  },
});

let passwords = 0;

/** An administrator sets a temporary or permanent password. */
export const setPassword = act({
  weight: 1,
  args: fc.record({ who: number, isPermanent: fc.boolean() }),
  async perform(run, { who, isPermanent }) {
    const user = pick(run.users, who);
    passwords += 1;
    if (user !== undefined) await run.setPassword(user, `Admin-Horse${passwords}!`, isPermanent);
  },
});

/** Time passes. */
export const wait = act({
  weight: 4,
  args: fc.record({ seconds: fc.constantFrom<number>(1, 31, 31, 61, 181, 901) }),
  perform(run, { seconds }) {
    run.wait(seconds);
    return Promise.resolve();
  },
});
