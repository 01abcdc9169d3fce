import assert from 'node:assert/strict';
import { formatTimestamp } from '@poolgate/srp';
import type { Exchange } from '../support/requests/exchange.ts';
import { PASSWORD, type TestService } from '../support/services/test-service.ts';
import { type Mistakes, type PlainStart, plainProof, plainStart } from './plain-srp.ts';

type Texts = Readonly<Record<string, string | null>>;

/** The Cognito-compatible API's response to a step of a login. */
export interface CognitoApiStep {
  readonly ChallengeName?: string;
  readonly Session?: string;
  readonly ChallengeParameters: Readonly<Record<string, string>>;
  readonly AvailableChallenges?: readonly string[];
  readonly AuthenticationResult?: {
    readonly AccessToken: string;
    readonly IdToken: string;
    readonly RefreshToken?: string;
    readonly NewDeviceMetadata?: { readonly DeviceKey: string; readonly DeviceGroupKey: string };
  };
}

/** An SRP login that waits for its proof. */
export interface CognitoApiChallenge {
  readonly start: PlainStart;
  readonly step: CognitoApiStep;
}

/** Returns the body of a response that must be successful. */
export function requireStep({ status, body, text }: Exchange): CognitoApiStep {
  assert.equal(status, 200, text);
  return body as unknown as CognitoApiStep;
}

/** Returns the tokens of a login that must be complete. */
export function requireTokens(answer: Exchange): Required<CognitoApiStep>['AuthenticationResult'] {
  const { AuthenticationResult } = requireStep(answer);
  assert.ok(AuthenticationResult, answer.text);
  return AuthenticationResult;
}

/** Expects an error of the Cognito-compatible API. */
export function refusedBy({ status, body, text }: Exchange, type: string, message?: string): void {
  assert.deepEqual([status, body.__type], [400, type], text);
  if (message !== undefined) assert.equal(body.message, message);
}

/** InitiateAuth. */
export function initiate(
  { call, clientId }: TestService,
  AuthFlow: string,
  AuthParameters: Texts,
  ClientId = clientId,
): Promise<Exchange> {
  return call('InitiateAuth', { ClientId, AuthFlow, AuthParameters });
}

/** RespondToAuthChallenge. */
export function respond(
  { call, clientId }: TestService,
  ChallengeName: string,
  ChallengeResponses: Texts,
  Session?: string,
): Promise<Exchange> {
  return call('RespondToAuthChallenge', {
    ClientId: clientId,
    ChallengeName,
    ChallengeResponses,
    ...(Session === undefined ? {} : { Session }),
  });
}

/** USER_SRP_AUTH. */
export async function challenged(
  service: TestService,
  username: string,
  more: Texts = {},
): Promise<CognitoApiChallenge> {
  const start = plainStart();
  const answer = await initiate(service, 'USER_SRP_AUTH', { USERNAME: username, SRP_A: start.srpAHex, ...more });
  const step = requireStep(answer);
  assert.equal(step.ChallengeName, 'PASSWORD_VERIFIER');
  return { start, step };
}

/** The responses to PASSWORD_VERIFIER, with a mistake if requested. */
export function claim(service: TestService, { start, step }: CognitoApiChallenge, mistakes: Mistakes = {}) {
  const { SECRET_BLOCK = '', USER_ID_FOR_SRP = '' } = step.ChallengeParameters;
  const timestamp = formatTimestamp(service.clock.now());
  const proof = { poolName: service.poolName, password: PASSWORD, timestamp, parameters: step.ChallengeParameters };
  const { signature, hasSignByte } = plainProof(start, proof, mistakes);
  return {
    hasSignByte,
    responses: {
      USERNAME: USER_ID_FOR_SRP,
      PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
      PASSWORD_CLAIM_SIGNATURE: signature,
      TIMESTAMP: timestamp,
    },
  };
}

/** A complete SRP login. */
export async function logIn(service: TestService, username: string, more: Texts = {}): Promise<Exchange> {
  const { responses } = claim(service, await challenged(service, username));
  return respond(service, 'PASSWORD_VERIFIER', { ...responses, ...more });
}
