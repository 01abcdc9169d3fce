import { secureRandom, toHex } from '@poolgate/srp';
import {
  canUseVerifiers,
  checkNewPassword,
  createPasswordVerifier,
  type PasswordVerifierBody,
} from '../../passwords/new-password.ts';
import { requireGoodPassword } from '../../passwords/password-policy.ts';
import type { PoolgateError } from '../../transport/poolgate-error.ts';
import { attemptStep } from './attempt-step.ts';
import { answerChallenge, type LoginRun, type PendingChallenge } from './login-run.ts';
import type { NewPasswordStep } from './login-steps.ts';

const ATTRIBUTE_PREFIX = 'userAttributes.';

/** NEW_PASSWORD_REQUIRED. */
export function createNewPasswordStep(
  run: LoginRun,
  challenge: PendingChallenge,
  error: PoolgateError | null = null,
): NewPasswordStep {
  const { requiredAttributes = '[]', userAttributes = '{}' } = challenge.parameters;
  const again = (failure: PoolgateError): NewPasswordStep => createNewPasswordStep(run, challenge, failure);
  return {
    kind: 'newPassword',
    username: run.username ?? null,
    error,
    requiredAttributes: (JSON.parse(requiredAttributes) as readonly string[]).map(removeAttributePrefix),
    attributes: JSON.parse(userAttributes) as Readonly<Record<string, string>>,
    submit: (password, attributes = {}) =>
      attemptStep(run, again, async () => {
        const proof = await createNewPasswordProof(run, challenge, password);
        return answerChallenge(run, challenge, { ...proof, ...addAttributePrefix(attributes) });
      }),
  };
}

const removeAttributePrefix = (name: string): string => name.replace(ATTRIBUTE_PREFIX, '');

function addAttributePrefix(attributes: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`${ATTRIBUTE_PREFIX}${name}`, value]));
}

const FIELD = 'challenge_value';

/** Checks a new password against the pool's rules, and does not send it if the service accepts verifiers. @throws {PoolgateError} */
async function createNewPasswordProof(
  run: LoginRun,
  { parameters }: PendingChallenge,
  password: string,
): Promise<{ readonly NEW_PASSWORD: string } | { readonly password_verifier: PasswordVerifierBody }> {
  const { USER_ID_FOR_SRP: username } = parameters;
  const names = run.username === undefined ? [] : [run.username];
  await checkNewPassword(run, { password, names, field: FIELD });
  // Others have seen the temporary password, and a verifier with another salt does not show the service that it is unchanged.
  if (password === run.proof?.password) requireGoodPassword(FIELD, ['password_temporary_again']);
  if (username === undefined || !(await canUseVerifiers(run))) return { NEW_PASSWORD: password };
  return { password_verifier: await createPasswordVerifier(run, { username, password, salt: drawSalt() }) };
}

const SALT_BYTES = 16;

function drawSalt(): string {
  return toHex(secureRandom(SALT_BYTES));
}
