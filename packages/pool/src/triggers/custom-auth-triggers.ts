import type { Attributes } from '../identity/attributes.ts';
import {
  parseBoolean,
  parseOptional,
  parseText,
  parseTextMap,
  type RawTriggerResponse,
} from './parse-trigger-response.ts';
import { invalidTriggerResponseError } from './trigger-errors.ts';

/** A step of a custom login, as the trigger that decides the next one receives it. */
export interface CustomAuthStepResult {
  readonly challengeName: 'CUSTOM_CHALLENGE' | 'PASSWORD_VERIFIER' | 'SRP_A';
  readonly challengeResult: boolean;
  /** The name of the challenge from the trigger that created it. */
  readonly challengeMetadata?: string;
}

/** The input of all three triggers of a custom login. */
export interface CustomAuthTriggerRequest {
  readonly userAttributes: Attributes;
  readonly userNotFound?: true | undefined;
  readonly clientMetadata?: Readonly<Record<string, string>> | undefined;
}

/** The next step of a custom login. */
export interface DefineAuthChallengeResponse {
  /** Undefined: no challenge is requested. */
  readonly challengeName: string | undefined;
  readonly issueTokens: boolean;
  readonly failAuthentication: boolean;
}

/** A challenge that a trigger created. */
export interface CreateAuthChallengeResponse {
  readonly publicParameters: Readonly<Record<string, string>>;
  readonly privateParameters: Readonly<Record<string, string>>;
  readonly metadata: string | undefined;
}

const MAX_PUBLIC_BYTES = 16_384;

/** Parses the response of DefineAuthChallenge. */
export function parseDefineAuthChallengeResponse(response: RawTriggerResponse): DefineAuthChallengeResponse {
  return {
    challengeName: parseOptional(response.challengeName, parseText),
    issueTokens: parseBoolean(response.issueTokens),
    failAuthentication: parseBoolean(response.failAuthentication),
  };
}

/** Parses the response of CreateAuthChallenge. Its private data must fit into a session, which is checked when that is created. */
export function parseCreateAuthChallengeResponse(response: RawTriggerResponse): CreateAuthChallengeResponse {
  const publicParameters = parseOptional(response.publicChallengeParameters, parseTextMap) ?? {};
  if (Buffer.byteLength(JSON.stringify(publicParameters)) > MAX_PUBLIC_BYTES) throw invalidTriggerResponseError();
  return {
    publicParameters,
    privateParameters: parseOptional(response.privateChallengeParameters, parseTextMap) ?? {},
    metadata: parseOptional(response.challengeMetadata, parseText),
  };
}
