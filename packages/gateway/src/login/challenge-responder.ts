import type { ErrorCode } from '@poolgate/contract';
import type { CallContext, ChallengeName } from '@poolgate/provider';
import type { ProviderLoginStep } from '../challenges/present-login-step.ts';
import { GatewayError, mapProviderErrors, weakPasswordError } from '../kernel/gateway-errors.ts';
import type { ObjectOrJson } from '../kernel/object-or-json.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';

/** An answer as it came, before the challenge's row has read its value. */
export interface ChallengeAnswer {
  readonly username: string;
  readonly session: string;
  readonly value: ObjectOrJson;
  readonly params: ObjectOrJson;
}

/** How one challenge is answered. */
export type ChallengeResponder = (
  runtime: GatewayRuntime,
  answer: ChallengeAnswer,
  call: CallContext,
) => Promise<ProviderLoginStep>;

/** How one challenge is answered whose answer itself tells who the user is. */
export type UsernamelessResponder = (
  runtime: GatewayRuntime,
  answer: Omit<ChallengeAnswer, 'username'>,
  call: CallContext,
) => Promise<ProviderLoginStep>;

/** `ChallengeResponses` without what every answer carries. */
export type ProviderResponses = Readonly<Record<string, string>>;

/**
 * Answers a challenge whose session is the provider's.
 * @throws {GatewayError}
 */
export function respondAtProvider(
  runtime: GatewayRuntime,
  { username, session }: Pick<ChallengeAnswer, 'username' | 'session'>,
  { name, responses }: { readonly name: ChallengeName; readonly responses: ProviderResponses },
  call: CallContext,
): Promise<ProviderLoginStep> {
  return mapProviderErrors(
    runtime.provider.operations.respondToAuthChallenge(
      {
        ClientId: runtime.clientId,
        ChallengeName: name,
        Session: session,
        ChallengeResponses: { ...responses, USERNAME: username },
      },
      call,
    ),
    {
      InvalidPasswordException: (error) => weakPasswordError('challenge_value', error),
      PasswordHistoryPolicyViolationException: (error) => weakPasswordError('challenge_value', error),
    },
  );
}

/**
 * Awaits the judgement of a proof. What would say why it proves nothing reads like any other failed proof.
 * @param revealing the code that says more
 * @throws {GatewayError} invalid_credentials in its place
 */
export async function hideFailureReason<T>(revealing: ErrorCode, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const reveals = error instanceof GatewayError && error.code === revealing;
    throw reveals ? new GatewayError('invalid_credentials', undefined, { cause: error }) : error;
  }
}

/** The row of a challenge whose answer is read, renamed and passed on. */
export function createRelayResponder(
  name: ChallengeName,
  read: (value: ObjectOrJson) => ProviderResponses,
): ChallengeResponder {
  return (runtime, answer, call) => respondAtProvider(runtime, answer, { name, responses: read(answer.value) }, call);
}
