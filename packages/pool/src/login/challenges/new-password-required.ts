import { CHALLENGES, ProviderError } from '@poolgate/provider';
import { recordEvent } from '../../events.ts';
import {
  type NewPassword,
  newPlainPassword,
  newVerifierPassword,
  ownNames,
  refusesTemporaryAgain,
  temporaryPasswordReused,
} from '../../passwords/new-password.ts';
import { replacePassword } from '../../passwords/passwords.ts';
import { invalidSession } from '../../shared/login-errors.ts';
import type { UserRecord } from '../../store/records.ts';
import { attributesFrom, checkAttributes, missingRequired, readableAttributes } from '../../users/attributes.ts';
import { contactsOf } from '../../users/contacts.ts';
import { claimNames } from '../../users/users.ts';
import type { AnswerStep, Challenge, Effect, LoginStepContext, ParameterMap } from './challenge.ts';

const PREFIX = CHALLENGES.NEW_PASSWORD_REQUIRED.answerPrefix;

/**
 * A permanent password in place of a temporary one, and with it the required attributes that are still missing.
 * Nothing can be guessed here: the temporary password was proven before.
 */
export const newPasswordRequired: Challenge = {
  name: 'NEW_PASSWORD_REQUIRED',
  cognitoName: 'NEW_PASSWORD_REQUIRED',
  counter: undefined,
  spentBy: 'success',
  carrier: 'session',
  answersChoice: false,
  namesChoices: false,
  issue(step) {
    const user = requireCandidateUser(step);
    const required = missingRequired(step.pool, user.attributes).map((name) => `${PREFIX}${name}`);
    return {
      parameters: {
        USER_ID_FOR_SRP: step.candidate.userId,
        requiredAttributes: JSON.stringify(required),
        userAttributes: JSON.stringify(readableAttributes(step.client, user)),
      },
      state: new Uint8Array(),
    };
  },
  async judge(step) {
    const attributes = givenAttributes(step);
    checkGivenAttributes(step, attributes);
    const password = chosenPassword(step);
    await password.check();
    password.checkOwner(ownNames(requireCandidateUser(step)));
    if (refusesTemporaryAgain(step.pool) && password.equals(step.candidate.credential)) {
      return { outcome: 'declined', error: temporaryPasswordReused() };
    }
    return { outcome: 'proven', effect: await setPassword(step, password, attributes) };
  },
};

/** @throws {ProviderError} a verifier that no login could use, or in a pool that takes none */
function chosenPassword({ ports, pool, sent }: AnswerStep): NewPassword {
  const { NEW_PASSWORD, PASSWORD_SALT = '', PASSWORD_VERIFIER = '' } = sent;
  return NEW_PASSWORD === undefined
    ? newVerifierPassword(ports, pool, { SaltHex: PASSWORD_SALT, VerifierHex: PASSWORD_VERIFIER })
    : newPlainPassword(ports, pool, NEW_PASSWORD);
}

function requireCandidateUser({ candidate }: LoginStepContext): UserRecord {
  if (candidate.found === undefined) throw invalidSession();
  return candidate.found.user;
}

function givenAttributes({ pool, sent }: AnswerStep): ParameterMap {
  const entries = Object.entries(sent).filter(([key]) => key.startsWith(PREFIX));
  return attributesFrom(
    pool,
    entries.map(([key, Value]) => ({ Name: key.slice(PREFIX.length), Value })),
  );
}

/** @throws {ProviderError} an attribute is there already, against the schema, not writable, or still missing */
function checkGivenAttributes(step: LoginStepContext, given: ParameterMap): void {
  const user = requireCandidateUser(step);
  const taken = Object.keys(given).find((name) => (user.attributes[name] ?? '') !== '');
  if (taken !== undefined) {
    throw new ProviderError('InvalidParameterException', `Cannot modify an already provided ${taken}`);
  }
  checkAttributes(step.pool, step.client, given, user.attributes);
  const [missing] = missingRequired(step.pool, { ...user.attributes, ...given });
  if (missing !== undefined) {
    throw new ProviderError('InvalidParameterException', `Invalid attributes given, ${missing} is missing`);
  }
}

async function setPassword(
  { ports, pool, client, candidate, nowMs }: AnswerStep,
  password: NewPassword,
  given: ParameterMap,
): Promise<Effect> {
  const credential = await password.credential(candidate.userId, null);
  return async (transaction, { user }) => {
    const change = {
      status: 'CONFIRMED' as const,
      attributes: { ...user.attributes, ...given, ...withoutVerifiedFlags(given) },
      modifiedAtMs: nowMs,
    };
    await replacePassword(transaction, credential, nowMs);
    await transaction.users.update(pool.id, user.username, change);
    await claimNames(transaction, pool, { ...user, ...change }, Object.keys(given));
    const details = { how: 'temporary_password' };
    await recordEvent(ports, transaction, { type: 'password.changed', pool, user, clientId: client.id, details });
    return { user: { ...user, ...change }, credential };
  };
}

/** What a user writes about a contact is not proven. */
function withoutVerifiedFlags(given: ParameterMap): ParameterMap {
  return Object.fromEntries(contactsOf(given).map(({ attribute }) => [`${attribute}_verified`, 'false']));
}
