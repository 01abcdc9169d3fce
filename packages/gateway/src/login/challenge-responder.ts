import type { ErrorCode } from '@poolgate/contract';
import type { CallContext, ChallengeName } from '@poolgate/provider';
import type { ProviderLoginStep } from '../challenges/present-login-step.ts';
import { GatewayError, mapProviderErrors, weakPasswordError } from '../kernel/gateway-errors.ts';
import type { ObjectOrJson } from '../kernel/object-or-json.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';

/** An answer as received, before its challenge's reader has parsed the value. */
export interface ChallengeAnswer {
  readonly username: string;
  readonly session: string;
  readonly value: ObjectOrJson;
  readonly params: ObjectOrJson;
}

/** Answers one kind of challenge. */
export type ChallengeResponder = (
  runtime: GatewayRuntime,
  answer: ChallengeAnswer,
  call: CallContext,
) => Promise<ProviderLoginStep>;

/** Answers one kind of challenge whose answer identifies the user. */
export type UsernamelessResponder = (
  runtime: GatewayRuntime,
  answer: Omit<ChallengeAnswer, 'username'>,
  call: CallContext,
) => Promise<ProviderLoginStep>;

/** `ChallengeResponses` without the members that every answer has. */
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
 * Awaits the verification of a proof. Errors that would reveal why it failed look like any other failed proof.
 * @param revealing the code that reveals more
 * @throws {GatewayError} invalid_credentials instead of it
 */
export async function hideFailureReason<T>(revealing: ErrorCode, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const reveals = error instanceof GatewayError && error.code === revealing;
    throw reveals ? new GatewayError('invalid_credentials', undefined, { cause: error }) : error;
  }
}

/** Creates the row of a challenge whose answer is parsed, renamed and passed on. */
export function createRelayResponder(
  name: ChallengeName,
  read: (value: ObjectOrJson) => ProviderResponses,
): ChallengeResponder {
  return (runtime, answer, call) => respondAtProvider(runtime, answer, { name, responses: read(answer.value) }, call);
}
