import { deviceIdentity, formatTimestamp, hashPassword, signPasswordClaim } from '@poolgate/srp';
import { openSslEngine as engine } from '@poolgate/srp/openssl';
import { computeTotpCode } from '../support/routes/route-mfa.ts';
import { createSignedClaim, createSrpStart } from '../support/routes/route-srp.ts';
import type { TestService } from '../support/services/test-service.ts';
import { totpSecret } from './ledger.ts';
import { type GuessKind, usableFactors } from './policy.ts';
import type { Run } from './run.ts';
import { setUpTotp } from './set-up-totp.ts';
import type { Chain, ModelUser, Proof } from './state.ts';
import type { Asked } from './transitions.ts';

/** How a challenge is answered. */
export const MANNERS = [
  'right',
  'wrong',
  'recovery code',
  'void recovery code',
  'used before',
  'too old',
  'of another login',
  'as another challenge',
  'under a foreign name',
] as const;
export type Manner = (typeof MANNERS)[number];

/** An answer, and what the model knows about its validity. */
export interface ModelAnswer {
  readonly value?: unknown;
  readonly isRight: boolean;
  /** Right once, but already used. */
  readonly isUsedUp?: boolean;
  readonly guess?: GuessKind;
  /** A wrong answer ends the session. */
  readonly isSpentByFailure?: boolean;
  /** Refused without counting as a guess if it is wrong. */
  readonly isHarmless?: boolean;
  readonly proof?: Proof;
  /** It proves nothing, and this challenge follows. */
  readonly leadsTo?: Asked;
  readonly start?: Chain['start'];
  /** What it answers, if triggers decide its validity. */
  readonly question?: string;
  /** Names what is single-use. */
  readonly secret?: string;
  /** What the service does after the answer is accepted. */
  readonly effect?: () => void;
}

type Answering = (run: Run, chain: Chain, manner: Manner) => ModelAnswer | undefined | Promise<ModelAnswer | undefined>;

const STEP_MS = 30_000;
/** A clock may be off by one step in either direction. */
const DRIFT_STEPS = [-1, 0, 1];
const NO_RECOVERY_CODE = 'bcdf-ghjk-lmnp';
const WRONG_PASSWORD = 'Wrong-Horse1!';

/** How each challenge is answered. Undefined if there is no such answer. */
export const ANSWERS: Readonly<Record<Asked, Answering>> = {
  PASSWORD_VERIFIER: answerPassword,
  SOFTWARE_TOKEN_MFA: answerTotp,
  EMAIL_OTP: answerSentCode,
  SMS_MFA: answerSentCode,
  SMS_OTP: answerSentCode,
  DEVICE_SRP_AUTH: answerDeviceStart,
  DEVICE_PASSWORD_VERIFIER: answerDeviceProof,
  NEW_PASSWORD_REQUIRED: answerNewPassword,
  SELECT_MFA_TYPE: chooseFactor,
  SELECT_CHALLENGE: chooseChallenge,
  MFA_SETUP: answerSetUp,
  CUSTOM_CHALLENGE: answerQuestion,
};

/** The answer is right only for the question of this session. */
function answerQuestion({ modelled, chains }: Run, chain: Chain, manner: Manner): ModelAnswer | undefined {
  const { question = '' } = chain.parameters;
  const answerTo = (asked: string): string => modelled.triggers?.answerTo(asked) ?? '';
  if (manner === 'right') return { value: answerTo(question), isRight: true, question };
  if (manner === 'wrong') return { value: 'I do not know', isRight: false, question };
  const other = chains.find(({ asked, parameters }) => asked === chain.asked && parameters.question !== question);
  if (manner !== 'of another login' || other === undefined) return undefined;
  return { value: answerTo(other.parameters.question ?? ''), isRight: false, question };
}

function answerPassword({ modelled }: Run, chain: Chain, manner: Manner): ModelAnswer | undefined {
  const { user, start, session, parameters } = chain;
  const isRight = manner === 'right' && chain.passwordVersion === user.passwordVersion;
  const password = manner === 'right' ? user.password : WRONG_PASSWORD;
  if (manner !== 'right' && manner !== 'wrong') return undefined;
  const challenge = { username: user.email, start, session, sessionToken: session, parameters };
  const value = createSignedClaim(modelled.service as TestService, challenge, password);
  const secret = `secret block ${parameters.SECRET_BLOCK}`;
  return { value, isRight, guess: 'password', isSpentByFailure: true, proof: 'password', secret };
}

function answerTotp(run: Run, { user }: Chain, manner: Manner): ModelAnswer | undefined {
  const guess = 'SOFTWARE_TOKEN_MFA';
  const common = { guess, proof: 'second factor' } as const;
  if (manner === 'recovery code') return recoveryCode(user, guess);
  if (manner === 'void recovery code') return voidRecoveryCode(user, guess);
  if (user.totp === undefined) return undefined;
  const { secretCode } = user.totp;
  const now = Math.floor(run.nowMs / STEP_MS);
  const code = (steps: number) => computeTotpCode(run.modelled.service, secretCode, steps);
  /** Undefined if two valid steps show the same code, because then the used one cannot be identified. */
  const codeOfOne = (steps: number) =>
    DRIFT_STEPS.some((near) => near !== steps && code(near) === code(steps)) ? undefined : code(steps);
  if (manner === 'wrong') return { ...common, value: wrongTotp(run, secretCode), isRight: false };
  if (manner === 'too old') {
    const value = codeOfOne(-3);
    return value === undefined ? undefined : { ...common, value, isRight: false };
  }
  if (manner === 'used before') {
    const { lastStep } = user.totp;
    const used = lastStep < now - 1 || lastStep > now + 1 ? undefined : codeOfOne(lastStep - now);
    return used === undefined ? undefined : { ...common, value: used, isRight: true, isUsedUp: true };
  }
  if (manner !== 'right') return undefined;
  const step = Math.max(now, user.totp.lastStep + 1);
  const value = step > now + 1 ? undefined : codeOfOne(step - now);
  if (value === undefined) return undefined;
  return {
    ...common,
    value,
    isRight: true,
    secret: totpSecret(user, step),
    effect: useStep(user, step),
  };
}

function useStep(user: ModelUser, step: number): () => void {
  return () => {
    if (user.totp !== undefined) user.totp.lastStep = step;
  };
}

/** A code that the authenticator does not show at any nearby time. */
export function wrongTotp({ modelled }: Run, secretCode: string): string {
  const near = new Set([-2, -1, 0, 1, 2].map((steps) => computeTotpCode(modelled.service, secretCode, steps)));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.has(code)) ?? '';
}

/** It counts as a guess of what it replaces. */
function recoveryCode(user: ModelUser, guess: GuessKind): ModelAnswer {
  const common = { guess, proof: 'second factor' } as const;
  const [code] = user.recoveryCodes;
  if (code === undefined) return { ...common, value: NO_RECOVERY_CODE, isRight: false };
  const effect = () => {
    user.recoveryCodes.delete(code);
    user.voidRecoveryCodes.push(code);
  };
  return { ...common, value: code, isRight: true, secret: `recovery code ${code}`, effect };
}

/** A code that was used, or replaced by newer ones. */
function voidRecoveryCode({ voidRecoveryCodes }: ModelUser, guess: GuessKind): ModelAnswer | undefined {
  const code = voidRecoveryCodes.at(-1);
  return code === undefined ? undefined : { value: code, isRight: false, guess };
}

/** A code by mail counts differently instead of a password and after one. */
function guessAt({ asked, proofs }: Chain): GuessKind {
  if (asked === 'EMAIL_OTP') return proofs.length === 0 ? 'EMAIL_OTP' : 'EMAIL_MFA';
  return asked === 'SMS_OTP' ? 'SMS_OTP' : 'SMS_MFA';
}

function answerSentCode(run: Run, chain: Chain, manner: Manner): ModelAnswer | undefined {
  const isFirst = chain.proofs.length === 0;
  const guess = guessAt(chain);
  const common = { guess, proof: isFirst ? 'first code' : 'second factor' } as const;
  if (manner === 'recovery code') {
    return isFirst ? { ...common, value: NO_RECOVERY_CODE, isRight: false } : recoveryCode(chain.user, guess);
  }
  if (manner === 'void recovery code') return isFirst ? undefined : voidRecoveryCode(chain.user, guess);
  if (manner === 'of another login') {
    const other = run.chains.find(({ user, code }) => user === chain.user && code !== undefined && code !== chain.code);
    return other && { ...common, value: other.code, isRight: false };
  }
  const wrong = chain.code === '00000000' || chain.code === '000000' ? '111111' : '000000';
  if (manner === 'wrong') return { ...common, value: wrong, isRight: false };
  if (manner !== 'right') return undefined;
  if (chain.code === undefined) return { ...common, value: '00000000', isRight: false };
  const effect = () => {
    if (chain.asked !== 'EMAIL_OTP') chain.user.isPhoneVerified = true;
  };
  return { ...common, value: chain.code, isRight: true, secret: `code of ${chain.session}`, effect };
}

function answerDeviceStart(run: Run, { user, deviceKey = '' }: Chain, manner: Manner): ModelAnswer | undefined {
  const start = createSrpStart();
  const isThere = run.deviceOf(user, deviceKey) !== undefined;
  const common = { isHarmless: true, leadsTo: 'DEVICE_PASSWORD_VERIFIER', start } as const;
  const value = (key: string) => ({ DEVICE_KEY: key, SRP_A: start.srpAHex });
  if (manner === 'wrong') {
    return { ...common, value: value('us-east-1_00000000-0000-4000-8000-000000000000'), isRight: false };
  }
  return manner === 'right' ? { ...common, value: value(deviceKey), isRight: isThere } : undefined;
}

function answerDeviceProof(run: Run, chain: Chain, manner: Manner): ModelAnswer | undefined {
  const { user, deviceKey = '', parameters, start } = chain;
  const known = user.devices.get(deviceKey);
  if (known === undefined || start === undefined || (manner !== 'right' && manner !== 'wrong')) return undefined;
  const { SALT = '', SRP_B = '', SECRET_BLOCK = '' } = parameters;
  const identity = deviceIdentity({ deviceGroupKey: known.groupKey, deviceKey });
  const timestamp = formatTimestamp(run.nowMs);
  const secret = manner === 'right' ? known.secret.devicePassword : WRONG_PASSWORD;
  const signature = signPasswordClaim({
    engine,
    ...start,
    srpBHex: SRP_B,
    saltHex: SALT,
    passwordHash: hashPassword(engine, identity, secret),
    identity,
    secretBlockB64: SECRET_BLOCK,
    timestamp,
  });
  const isThere = run.deviceOf(user, deviceKey) !== undefined;
  return {
    value: {
      DEVICE_KEY: deviceKey,
      PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
      TIMESTAMP: timestamp,
      PASSWORD_CLAIM_SIGNATURE: signature,
    },
    isRight: manner === 'right' && isThere,
    // A removed device is refused before its proof is checked.
    ...(isThere ? { guess: 'password', isSpentByFailure: true } : { isHarmless: true }),
    proof: 'device',
    secret: `secret block ${SECRET_BLOCK}`,
  };
}

let passwords = 0;

function answerNewPassword(_: Run, { user }: Chain, manner: Manner): ModelAnswer | undefined {
  if (manner === 'wrong') return { value: 'short', isRight: false, isHarmless: true };
  if (manner !== 'right') return undefined;
  passwords += 1;
  const password = `Newer-Horse${passwords}!`;
  const effect = () => {
    user.password = password;
    user.passwordVersion += 1;
    user.mustChangePassword = false;
    user.distrustDevices();
  };
  return { value: password, isRight: true, proof: 'new password', effect };
}

function chooseFactor(run: Run, { user }: Chain, manner: Manner): ModelAnswer | undefined {
  const [first, last] = [...usableFactors(run.modelled.setting.rules, user)].slice(-2);
  const method = manner === 'right' ? last : manner === 'wrong' ? first : undefined;
  return method && { value: method, isRight: true, leadsTo: method };
}

function chooseChallenge(_: Run, { user }: Chain, manner: Manner): ModelAnswer | undefined {
  const name =
    manner === 'right' ? 'EMAIL_OTP' : manner === 'wrong' && user.phone !== undefined ? 'SMS_OTP' : undefined;
  return name && { value: name, isRight: true, leadsTo: name };
}

async function answerSetUp(run: Run, chain: Chain, manner: Manner): Promise<ModelAnswer | undefined> {
  if (manner === 'wrong') return { isRight: chain.totpProven, isHarmless: true, ...setUp(chain) };
  if (manner !== 'right' || !(chain.totpProven || (await setUpTotp(run, chain)))) return undefined;
  return { isRight: true, ...setUp(chain) };
}

function setUp({ user }: Chain): Pick<ModelAnswer, 'proof' | 'effect'> {
  const effect = () => {
    user.methods.add('SOFTWARE_TOKEN_MFA');
    user.preferred = 'SOFTWARE_TOKEN_MFA';
  };
  return { proof: 'second factor', effect };
}
