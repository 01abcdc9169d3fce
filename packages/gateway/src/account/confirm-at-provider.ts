import {
  type CallContext,
  type Input,
  ProviderError,
  type RegistrationConfirmation,
  type RegistrationProof,
} from '@poolgate/provider';
import { logInBySrp } from '../challenges/srp-login.ts';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { RegistrationSession } from '../users/registration-session.ts';
import { passwordRequiredError } from './registration-claim.ts';

/** A code and its additional data. */
export interface ProviderConfirmation {
  readonly input: Pick<Input<'ConfirmSignUp'>, 'ClientId' | 'Username' | 'ConfirmationCode'>;
  readonly own: RegistrationSession | undefined;
  readonly claim: RegistrationProof;
}

/**
 * Confirms a registration at a provider without claims, such as Amazon Cognito, where a code alone makes the password valid. Without the
 * session of a registration, the password is proven first by a login that ends with "not confirmed". A new password cannot be set.
 * @throws {GatewayError} password_required, feature_disabled; code_mismatch: the code or the password is wrong, and the response does not
 *   say which
 */
export async function confirmAtProvider(
  deps: GatewayDeps,
  { input, own, claim }: ProviderConfirmation,
  call: CallContext,
): Promise<RegistrationConfirmation> {
  if (own?.isRegistered !== true) await verifyPassword(deps, input.Username, claim, call);
  // Without the provider's session, because Cognito's expires within minutes and a code after a day.
  const { Session } = await deps.provider.operations.confirmSignUp(input, call);
  return own?.isRegistered === true && Session !== undefined ? { Session } : {};
}

async function verifyPassword(
  deps: GatewayDeps,
  username: string,
  { Password: password, PasswordVerifier }: RegistrationProof,
  call: CallContext,
): Promise<void> {
  if (PasswordVerifier !== undefined) throw new GatewayError('feature_disabled');
  if (password === undefined) throw passwordRequiredError({}, []);
  const refusal = await logInBySrp(deps, { username, password }, call).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (isUnconfirmed(refusal)) return;
  if (isAboutUser(refusal)) throw new GatewayError('code_mismatch', undefined, { cause: refusal });
  throw refusal;
}

/** A route's own error may wrap the provider's. */
function findProviderError(refusal: unknown): ProviderError | undefined {
  const error = refusal instanceof GatewayError ? refusal.cause : refusal;
  return error instanceof ProviderError ? error : undefined;
}

function isUnconfirmed(refusal: unknown): boolean {
  return findProviderError(refusal)?.code === 'UserNotConfirmedException';
}

/** Whether the cause can only be a wrong password, or a user who does not exist or is not unconfirmed. */
function isAboutUser(refusal: unknown): boolean {
  return refusal === undefined || findProviderError(refusal)?.fault === 'caller';
}
