import assert from 'node:assert/strict';
import type { ClientStart } from '@poolgate/srp';
import type { Exchange } from '../support/requests/exchange.ts';
import { Ledger } from './ledger.ts';
import {
  firstFactorSends,
  GUESS_KINDS,
  GUESS_LIMITS,
  type GuessCounter,
  type GuessKind,
  owedBy,
  secondFactorSends,
} from './policy.ts';
import type { ModelledService } from './setting.ts';
import { type Chain, type Grant, ModelUser, type Progress } from './state.ts';
import {
  type Asked,
  type DeviceState,
  type DeviceTrigger,
  type LoginState,
  type LoginTrigger,
  nextOfDevice,
  nextOfLogin,
} from './transitions.ts';
import {
  assertAnswered,
  assertClaims,
  assertNothingPrivate,
  definedNext,
  findRefusingTrigger,
} from './trigger-checks.ts';

/** The response of the service that the model expects. */
export type Expected =
  | { readonly kind: 'tokens' }
  | { readonly kind: 'challenge'; readonly name: Asked }
  | { readonly kind: 'refused'; readonly why: Why };

/** The reason of a refusal. A caller without the secret learns no more than this from the code. */
export type Why =
  | 'session'
  | 'credentials'
  | 'locked'
  | 'code'
  | 'grant'
  | 'parameter'
  | 'mismatch'
  | 'token'
  | 'trigger';

const CODES: Readonly<Record<Why, readonly string[]>> = {
  session: ['invalid_session', 'invalid_credentials'],
  credentials: ['invalid_credentials', 'invalid_session'],
  locked: ['too_many_requests'],
  code: ['code_mismatch', 'code_expired'],
  grant: ['invalid_grant'],
  parameter: ['invalid_parameter', 'validation_failed'],
  mismatch: ['challenge_mismatch', 'invalid_session'],
  token: ['unauthenticated', 'reauthentication_required'],
  trigger: ['trigger_refused'],
};

/** Whose guess it is. */
type CountedFor = Pick<Progress, 'user' | 'deviceKey' | 'isOfAttacker'>;

const SESSION_MS = 180_000;
const PASSWORD = 'Correct-Horse1!';

let runs = 0;

/** One run: some users of a service that other runs also use, and everything known about them. */
export class Run {
  readonly modelled: ModelledService;
  readonly users: readonly ModelUser[];
  readonly chains: Chain[] = [];
  readonly grants: Grant[] = [];
  readonly ledger = new Ledger();
  /** Bodies of requests that succeeded once. None of them may succeed again. */
  readonly transcripts: { readonly path: string; readonly body: unknown }[] = [];

  constructor(world: ModelledService) {
    this.modelled = world;
    runs += 1;
    const contact = `${process.pid}-${runs}`;
    // Each run has a separate range of phone numbers, because messages to one range are limited.
    const range = String(runs % 1_000_000).padStart(6, '0');
    this.users = [
      new ModelUser(`ada-${contact}@example.com`, `+4915${range}1234`, PASSWORD),
      new ModelUser(`bob-${contact}@example.com`, undefined, PASSWORD),
    ];
  }

  get nowMs(): number {
    return this.modelled.service.clock.now();
  }

  wait(seconds: number): void {
    this.modelled.service.clock.advance(seconds * 1000);
  }

  /** Creates the users. */
  async begin(): Promise<void> {
    // A run that ended with a contradiction left calls behind that were not checked.
    this.modelled.triggers?.takeCalls();
    for (const user of this.users) await this.#create(user);
  }

  async #create(user: ModelUser): Promise<void> {
    const { service } = this.modelled;
    const attributes = user.phone === undefined ? {} : { phone_number: user.phone };
    const body = { email: user.email, temp_password: user.password, attributes };
    const created = await service.post('/admin/users', body, service.asAdmin);
    assert.equal(created.status, 201, created.text);
    user.username = (created.body.user as { username: string }).username;
    if (user.phone !== undefined) await this.#vouchForPhone(user);
    await this.setPassword(user, user.password, true);
    user.passwordVersion = 0;
  }

  /** An unverified number lets no user in, even with a verified address. */
  async #vouchForPhone({ username }: ModelUser): Promise<void> {
    const { service } = this.modelled;
    const UserAttributes = [{ Name: 'phone_number_verified', Value: 'true' }];
    const named = { UserPoolId: service.userPoolId, Username: username, UserAttributes };
    const answer = await service.call('AdminUpdateUserAttributes', named, service.asAdmin);
    assert.equal(answer.status, 200, answer.text);
  }

  /** An administrator sets a password. */
  async setPassword(user: ModelUser, password: string, isPermanent: boolean): Promise<void> {
    const { service } = this.modelled;
    const names = { UserPoolId: service.userPoolId, Username: user.username };
    const set = { ...names, Password: password, Permanent: isPermanent };
    const answer = await service.call('AdminSetUserPassword', set, service.asAdmin);
    assert.equal(answer.status, 200, answer.text);
    user.password = password;
    user.passwordVersion += 1;
    user.mustChangePassword = !isPermanent;
    user.distrustDevices();
    this.releaseLockouts(user);
  }

  /** An administrator's action ends the lockouts after a first factor. */
  releaseLockouts(user: ModelUser): void {
    for (const kind of GUESS_KINDS) {
      if (!GUESS_LIMITS[kind].isBehindFirstFactor) continue;
      user.guesses[kind].release(this.nowMs);
      this.ledger.known(user.username, kind);
    }
  }

  /** The confirmed device of a user with this key. */
  deviceOf(user: ModelUser, key: string | undefined) {
    const device = key === undefined ? undefined : user.devices.get(key);
    return device === undefined || device.state === 'unregistered' || device.state === 'removed' ? undefined : device;
  }

  /** Which counter a guess uses: before a first factor, a remembered device has its own. */
  counterOf({ user, deviceKey, isOfAttacker }: CountedFor, kind: GuessKind): GuessCounter {
    if (isOfAttacker) return user.attackersGuesses[kind];
    const device = GUESS_LIMITS[kind].isBehindFirstFactor ? undefined : this.deviceOf(user, deviceKey);
    return (device?.state === 'remembered' ? device.guesses : user.guesses)[kind];
  }

  /** Counts a message if the next challenge sends one. False if too many were sent. */
  sends({ user, proofs, isOfAttacker }: Progress, next: LoginState): boolean {
    if (next !== 'EMAIL_OTP' && next !== 'SMS_MFA' && next !== 'SMS_OTP') return true;
    const isFirst = proofs.length === 0;
    const isDecoy = isOfAttacker || !this.canReceive(user, next);
    const subjects = isFirst ? firstFactorSends(next, isOfAttacker, isDecoy) : secondFactorSends(next);
    if (user.sends.isSpent(subjects, this.nowMs)) return false;
    user.sends.take(subjects, this.nowMs);
    return true;
  }

  /** Whether a code instead of a password would reach this user. A user with a second factor must not get both in one message. */
  canReceive(user: ModelUser, asked: LoginState): boolean {
    const owesNothing = owedBy(this.modelled.setting.rules, user) === 'nothing';
    return owesNothing && !user.mustChangePassword && (asked === 'EMAIL_OTP' || user.phone !== undefined);
  }

  /** What follows, according to the table. */
  next(progress: Progress, from: LoginState, trigger: LoginTrigger, chosen?: Asked): LoginState {
    const { user, proofs, deviceKey } = progress;
    const { rules } = this.modelled.setting;
    const device = this.deviceOf(user, deviceKey);
    const isDeviceTrusted = device?.state === 'remembered' && !proofs.includes('new password');
    const isSettled = proofs.includes('second factor') || (isDeviceTrusted && rules.deviceReplacesMfa);
    const { id, state } = nextOfLogin({
      from,
      trigger,
      ...(chosen === undefined ? {} : { chosen }),
      isFirstProof: proofs.length <= 1,
      mustChangePassword: user.mustChangePassword && !proofs.includes('new password'),
      isBoundToDevice: progress.isBoundToDevice || device?.state === 'remembered',
      isDeviceTrusted,
      isDeviceProven: proofs.includes('device'),
      deviceReplacesMfa: rules.deviceReplacesMfa,
      owed: isSettled ? 'nothing' : owedBy(rules, user),
      defined: definedNext(progress),
      areTokensRefused: ![undefined, 'PreAuthentication'].includes(findRefusingTrigger(this, user)),
    });
    this.ledger.cover(id);
    return state;
  }

  /** What a request does to a device, according to the table. */
  nextOfDevice(from: DeviceState, trigger: DeviceTrigger): DeviceState | undefined {
    const next = nextOfDevice(from, trigger, this.modelled.setting.rules.devices === 'always');
    if (next !== undefined) this.ledger.cover(next.id);
    return next?.state;
  }

  /** Compares a response with the model, and records its content. */
  async checkAnswer(
    answer: Exchange,
    expected: Expected,
    progress: Progress,
    about: string,
    extra: Extra = {},
  ): Promise<void> {
    assert.deepEqual(classify(answer, expected), expected, `${about}: ${summarize(answer)}`);
    assertNothingPrivate(answer, about);
    if (expected.kind === 'challenge') this.#pose(answer, expected.name, progress, extra);
    if (expected.kind === 'tokens') await this.#grant(answer, progress);
  }

  #pose({ body }: Exchange, asked: Asked, progress: Progress, { start, isDecoy = false }: Extra): void {
    const device = this.deviceOf(progress.user, progress.deviceKey);
    const keepsDevice = asked === 'PASSWORD_VERIFIER' || isCarriedOn(asked, progress);
    this.chains.push({
      ...progress,
      asked,
      session: String(body.session ?? body.Session),
      parameters: (body.challenge_params ?? body.ChallengeParameters ?? {}) as Chain['parameters'],
      expiresAtMs: this.nowMs + SESSION_MS,
      code: isDecoy ? undefined : this.#codeFor(progress.user, asked),
      isDecoy,
      deviceKey: device === undefined && !keepsDevice ? undefined : progress.deviceKey,
      isBoundToDevice: progress.isBoundToDevice || (!keepsDevice && device?.state === 'remembered'),
      start,
      isSpent: false,
      answers: 0,
      totpProven: false,
    });
  }

  #codeFor({ email, phone }: ModelUser, asked: Asked): string | undefined {
    const to = { EMAIL_OTP: email, SMS_MFA: phone, SMS_OTP: phone }[asked as string];
    return to === undefined ? undefined : this.modelled.service.outbox?.list(to)[0]?.code;
  }

  async #grant({ body }: Exchange, progress: Progress): Promise<void> {
    const { service, setting } = this.modelled;
    const { user } = progress;
    this.ledger.deserves(progress, setting.rules, this.deviceOf(user, progress.deviceKey));
    assertAnswered(this, progress);
    assertClaims(this, user, body);
    const access = String(body.access_token);
    const profile = await service.get('/user/profile', { authorization: `Bearer ${access}` });
    const named = (profile.body.user as { username?: string } | undefined)?.username;
    assert.equal(named, user.username, `tokens must be of the user who was proven: ${profile.text}`);
    const issued = body.new_device_metadata as { device_key: string; device_group_key: string } | undefined;
    const known = this.deviceOf(user, progress.deviceKey);
    const isNew = setting.rules.devices !== 'off' && known === undefined;
    assert.equal(issued !== undefined, isNew, 'a device key is given where devices are tracked and none is known');
    const own = issued && { key: issued.device_key, groupKey: issued.device_group_key };
    this.grants.push({
      user,
      access,
      refresh: String(body.refresh_token),
      device: own ?? (known && { key: known.key, groupKey: undefined }),
      authenticatedAtMs: this.nowMs,
      passwordVersion: user.passwordVersion,
      isRevoked: false,
    });
  }
}

/** What the model knows of a challenge apart from the response. */
interface Extra {
  readonly start?: ClientStart;
  readonly isDecoy?: boolean;
}

/** Nothing is decided between the challenges of triggers, so a login keeps the device that it named. */
function isCarriedOn(asked: Asked, { proofs, custom }: Progress): boolean {
  return asked === 'CUSTOM_CHALLENGE' && (!proofs.includes('password') || (custom?.answers.length ?? 0) > 0);
}

/** A short summary of a response, without its secrets. */
export function summarize({ status, body }: Exchange): string {
  return `${status} ${body.code ?? body.challenge_name ?? body.ChallengeName ?? (body.access_token ? 'tokens' : body.message)}`;
}

/** Describes a response in the terms of the expectation, if they fit. */
function classify({ status, body }: Exchange, expected: Expected): unknown {
  if (status === 200 && body.status === 'success') return { kind: 'tokens' };
  if (status === 200) return { kind: 'challenge', name: body.challenge_name ?? body.ChallengeName };
  if (expected.kind === 'refused' && CODES[expected.why].includes(String(body.code))) return expected;
  return { kind: 'refused', why: `${status} ${body.code}` };
}
