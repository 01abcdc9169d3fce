import { CHALLENGES, ProviderError } from '@poolgate/provider';
import {
  checkAttributes,
  filterReadableAttributes,
  listMissingAttributes,
  parseAttributes,
} from '../../identity/attributes.ts';
import { listContacts } from '../../identity/contacts.ts';
import { invalidSessionError } from '../../identity/login-errors.ts';
import { claimSignInNames } from '../../identity/user-records.ts';
import { recordEvent } from '../../kernel/audit-events.ts';
import {
  createPlainPassword,
  createVerifierPassword,
  listPasswordUserNames,
  type NewPassword,
  refusesTemporaryPasswordReuse,
  temporaryPasswordReusedError,
} from '../../proofs/passwords/new-password.ts';
import { replacePassword } from '../../proofs/passwords/password-credentials.ts';
import type { UserRecord } from '../../store/records.ts';
import { refuseProviderNames } from '../../users/provider-usernames.ts';
import type { AnswerStep, Challenge, LoginStep, ParameterMap, ProofEffect } from './challenge.ts';

const PREFIX = CHALLENGES.NEW_PASSWORD_REQUIRED.answerPrefix;

/**
 * A permanent password that replaces a temporary one, with the missing required attributes. Nothing can be guessed here, because the
 * temporary password was proven before.
 */
export const newPasswordRequiredChallenge: Challenge = {
  name: 'NEW_PASSWORD_REQUIRED',
  cognitoName: 'NEW_PASSWORD_REQUIRED',
  counter: undefined,
  spentBy: 'success',
  carrier: 'session',
  answersChoice: false,
  namesChoices: false,
  issue(step) {
    const user = requireCandidateUser(step);
    const required = listMissingAttributes(step.pool, user.attributes).map((name) => `${PREFIX}${name}`);
    return {
      parameters: {
        USER_ID_FOR_SRP: step.candidate.userId,
        requiredAttributes: JSON.stringify(required),
        userAttributes: JSON.stringify(filterReadableAttributes(step.client, user)),
      },
      state: new Uint8Array(),
    };
  },
  async verifyAnswer(step) {
    const attributes = readGivenAttributes(step);
    checkGivenAttributes(step, attributes);
    await refuseProviderNames(step.ports, step.pool, { attributes });
    const password = readNewPassword(step);
    await password.check();
    password.checkOwner(listPasswordUserNames(requireCandidateUser(step)));
    if (refusesTemporaryPasswordReuse(step.pool) && password.equals(step.candidate.credential)) {
      return { outcome: 'declined', error: temporaryPasswordReusedError() };
    }
    return { outcome: 'proven', effect: await createSetPasswordEffect(step, password, attributes) };
  },
};

/** @throws {ProviderError} a verifier that no login could use, or in a pool that does not accept verifiers */
function readNewPassword({ ports, pool, sent }: AnswerStep): NewPassword {
  const { NEW_PASSWORD, PASSWORD_SALT = '', PASSWORD_VERIFIER = '' } = sent;
  return NEW_PASSWORD === undefined
    ? createVerifierPassword(ports, pool, { SaltHex: PASSWORD_SALT, VerifierHex: PASSWORD_VERIFIER })
    : createPlainPassword(ports, pool, NEW_PASSWORD);
}

function requireCandidateUser({ candidate }: LoginStep): UserRecord {
  if (candidate.found === undefined) throw invalidSessionError();
  return candidate.found.user;
}

function readGivenAttributes({ pool, sent }: AnswerStep): ParameterMap {
  const entries = Object.entries(sent).filter(([key]) => key.startsWith(PREFIX));
  return parseAttributes(
    pool,
    entries.map(([key, Value]) => ({ Name: key.slice(PREFIX.length), Value })),
  );
}

/** @throws {ProviderError} an attribute that already exists, violates the schema, is not writable, or is still missing */
function checkGivenAttributes(step: LoginStep, given: ParameterMap): void {
  const user = requireCandidateUser(step);
  const taken = Object.keys(given).find((name) => (user.attributes[name] ?? '') !== '');
  if (taken !== undefined) {
    throw new ProviderError('InvalidParameterException', `Cannot modify an already provided ${taken}`);
  }
  checkAttributes(step.pool, step.client, given, user.attributes);
  const [missing] = listMissingAttributes(step.pool, { ...user.attributes, ...given });
  if (missing !== undefined) {
    throw new ProviderError('InvalidParameterException', `Invalid attributes given, ${missing} is missing`);
  }
}

async function createSetPasswordEffect(
  { ports, pool, client, candidate, nowMs }: AnswerStep,
  password: NewPassword,
  given: ParameterMap,
): Promise<ProofEffect> {
  const credential = await password.createCredential(candidate.userId, null);
  return async (transaction, { user }) => {
    const change = {
      status: 'CONFIRMED' as const,
      attributes: { ...user.attributes, ...given, ...createUnverifiedFlags(given) },
      modifiedAtMs: nowMs,
    };
    await replacePassword(transaction, credential, nowMs);
    await transaction.users.update(pool.id, user.username, change);
    await claimSignInNames(transaction, pool, { ...user, ...change }, Object.keys(given));
    const details = { how: 'temporary_password' };
    await recordEvent(ports, transaction, { type: 'password.changed', pool, user, clientId: client.id, details });
    return { user: { ...user, ...change }, credential };
  };
}

/** A user's own input does not verify a contact. */
function createUnverifiedFlags(given: ParameterMap): ParameterMap {
  return Object.fromEntries(listContacts(given).map(({ attribute }) => [`${attribute}_verified`, 'false']));
}
