import type { Attributes } from '../users/attributes.ts';
import { booleanIn, optionalIn, type TriggerAnswer, textIn, textMapIn } from './answers.ts';
import { unrecognizableAnswer } from './trigger-errors.ts';

/** One step of a custom login, as the trigger that decides on the next one is told. */
export interface CustomStepResult {
  readonly challengeName: 'CUSTOM_CHALLENGE' | 'PASSWORD_VERIFIER' | 'SRP_A';
  readonly challengeResult: boolean;
  /** What the trigger that made the challenge calls it. */
  readonly challengeMetadata?: string;
}

/** What all three triggers of a custom login are told. */
export interface CustomRequest {
  readonly userAttributes: Attributes;
  readonly userNotFound?: true | undefined;
  readonly clientMetadata?: Readonly<Record<string, string>> | undefined;
}

/** What comes next in a custom login. */
export interface DefineVerdict {
  /** Undefined: nothing is asked for. */
  readonly challengeName: string | undefined;
  readonly issueTokens: boolean;
  readonly failAuthentication: boolean;
}

/** A challenge that a trigger made. */
export interface CreatedChallenge {
  readonly publicParameters: Readonly<Record<string, string>>;
  readonly privateParameters: Readonly<Record<string, string>>;
  readonly metadata: string | undefined;
}

const MAX_PUBLIC_BYTES = 16_384;

/** Reads what DefineAuthChallenge says. */
export function readDefineAnswer(response: TriggerAnswer): DefineVerdict {
  return {
    challengeName: optionalIn(response.challengeName, textIn),
    issueTokens: booleanIn(response.issueTokens),
    failAuthentication: booleanIn(response.failAuthentication),
  };
}

/** Reads what CreateAuthChallenge says. What it keeps to itself has to fit into a session, which is seen when that is made. */
export function readCreateAnswer(response: TriggerAnswer): CreatedChallenge {
  const publicParameters = optionalIn(response.publicChallengeParameters, textMapIn) ?? {};
  if (Buffer.byteLength(JSON.stringify(publicParameters)) > MAX_PUBLIC_BYTES) throw unrecognizableAnswer();
  return {
    publicParameters,
    privateParameters: optionalIn(response.privateChallengeParameters, textMapIn) ?? {},
    metadata: optionalIn(response.challengeMetadata, textIn),
  };
}
