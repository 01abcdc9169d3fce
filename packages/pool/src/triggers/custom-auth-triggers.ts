import type { Attributes } from '../identity/attributes.ts';
import {
  parseBoolean,
  parseOptional,
  parseText,
  parseTextMap,
  type RawTriggerResponse,
} from './parse-trigger-response.ts';
import { invalidTriggerResponseError } from './trigger-errors.ts';

/** One step of a custom login, as the trigger that decides on the next one is told. */
export interface CustomAuthStepResult {
  readonly challengeName: 'CUSTOM_CHALLENGE' | 'PASSWORD_VERIFIER' | 'SRP_A';
  readonly challengeResult: boolean;
  /** What the trigger that made the challenge calls it. */
  readonly challengeMetadata?: string;
}

/** What all three triggers of a custom login are told. */
export interface CustomAuthTriggerRequest {
  readonly userAttributes: Attributes;
  readonly userNotFound?: true | undefined;
  readonly clientMetadata?: Readonly<Record<string, string>> | undefined;
}

/** What comes next in a custom login. */
export interface DefineAuthChallengeResponse {
  /** Undefined: nothing is asked for. */
  readonly challengeName: string | undefined;
  readonly issueTokens: boolean;
  readonly failAuthentication: boolean;
}

/** A challenge that a trigger made. */
export interface CreateAuthChallengeResponse {
  readonly publicParameters: Readonly<Record<string, string>>;
  readonly privateParameters: Readonly<Record<string, string>>;
  readonly metadata: string | undefined;
}

const MAX_PUBLIC_BYTES = 16_384;

/** Reads what DefineAuthChallenge says. */
export function parseDefineAuthChallengeResponse(response: RawTriggerResponse): DefineAuthChallengeResponse {
  return {
    challengeName: parseOptional(response.challengeName, parseText),
    issueTokens: parseBoolean(response.issueTokens),
    failAuthentication: parseBoolean(response.failAuthentication),
  };
}

/** Reads what CreateAuthChallenge says. What it keeps to itself has to fit into a session, which is seen when that is made. */
export function parseCreateAuthChallengeResponse(response: RawTriggerResponse): CreateAuthChallengeResponse {
  const publicParameters = parseOptional(response.publicChallengeParameters, parseTextMap) ?? {};
  if (Buffer.byteLength(JSON.stringify(publicParameters)) > MAX_PUBLIC_BYTES) throw invalidTriggerResponseError();
  return {
    publicParameters,
    privateParameters: parseOptional(response.privateChallengeParameters, parseTextMap) ?? {},
    metadata: parseOptional(response.challengeMetadata, parseText),
  };
}
