import type { CallContext, ChallengeName } from '@poolgate/provider';
import type { GatewayDeps } from '../deps.ts';
import { refusing, weakPassword } from '../errors.ts';
import { readNewPassword } from './new-password.ts';
import type { ProviderStep } from './outcome.ts';
import { answerVerifier } from './password-verifier.ts';
import type { Stringified } from './stringified.ts';

/** An answer as it came, before the challenge's row has read its value. */
export interface ChallengeAnswer {
  readonly username: string;
  readonly session: string;
  readonly value: Stringified;
  readonly params: Stringified;
}

type Respond = (deps: GatewayDeps, answer: ChallengeAnswer, context: CallContext) => Promise<ProviderStep>;

/** How each challenge that a login can meet is answered. */
export const CHALLENGE_ANSWERS: { readonly [Name in ChallengeName]?: Respond } = {
  NEW_PASSWORD_REQUIRED: relay('NEW_PASSWORD_REQUIRED', readNewPassword),
  PASSWORD_VERIFIER: answerVerifier,
};

/** A challenge whose session is the provider's: the answer is read, renamed and passed on. */
function relay(name: ChallengeName, read: (value: Stringified) => Readonly<Record<string, string>>): Respond {
  return async (deps, { username, session, value }, context) =>
    refusing(
      deps.provider.operations.respondToAuthChallenge(
        {
          ClientId: deps.clientId,
          ChallengeName: name,
          Session: session,
          ChallengeResponses: { ...read(value), USERNAME: username },
        },
        context,
      ),
      {
        InvalidPasswordException: (error) => weakPassword('challenge_value', error),
        PasswordHistoryPolicyViolationException: (error) => weakPassword('challenge_value', error),
      },
    );
}
