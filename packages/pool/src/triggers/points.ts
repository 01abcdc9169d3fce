import type { Attributes } from '../users/attributes.ts';
import { type Answer, booleanIn } from './answers.ts';
import {
  type CreatedChallenge,
  type CustomRequest,
  type CustomStepResult,
  type DefineVerdict,
  readCreated,
  readDefined,
} from './custom-auth.ts';
import type { TriggerName } from './invoker.ts';
import { readOverridesV1, readOverridesV2, type TokenOverrides } from './token-overrides.ts';

/** Names and texts that a client sent for triggers (Cognito `ClientMetadata`, `ValidationData`). */
export type TriggerData = Readonly<Record<string, string>>;

/** What each kind of trigger is told: the `request` of its event. A member that is undefined is left out. */
export interface TriggerRequests {
  readonly PreSignUp: {
    readonly userAttributes: Attributes;
    readonly validationData: TriggerData | null;
    readonly clientMetadata?: TriggerData | undefined;
  };
  readonly PostConfirmation: { readonly userAttributes: Attributes; readonly clientMetadata?: TriggerData | undefined };
  readonly PreAuthentication: {
    readonly userAttributes: Attributes;
    readonly validationData: TriggerData;
    readonly userNotFound?: true | undefined;
  };
  readonly PostAuthentication: {
    readonly userAttributes: Attributes;
    readonly newDeviceUsed: boolean;
    readonly clientMetadata?: TriggerData | undefined;
  };
  readonly DefineAuthChallenge: CustomRequest & { readonly session: readonly CustomStepResult[] };
  readonly CreateAuthChallenge: CustomRequest & {
    readonly challengeName: 'CUSTOM_CHALLENGE';
    readonly session: readonly CustomStepResult[];
  };
  readonly VerifyAuthChallengeResponse: CustomRequest & {
    readonly privateChallengeParameters: Readonly<Record<string, string>>;
    readonly challengeAnswer: string;
  };
  readonly PreTokenGeneration: TokenRequest;
  readonly PreTokenGenerationV2: TokenRequest & { readonly scopes: readonly string[] };
  readonly PreTokenGenerationV3: TokenRequest & { readonly scopes: readonly string[] };
}

interface TokenRequest {
  readonly userAttributes: Attributes;
  readonly groupConfiguration: {
    readonly groupsToOverride: readonly string[];
    readonly iamRolesToOverride: readonly string[];
    readonly preferredRole: string | null;
  };
  readonly clientMetadata?: TriggerData | undefined;
}

/** What is read of the answers. */
export interface TriggerVerdicts {
  readonly PreSignUp: SignUpVerdict;
  readonly PostConfirmation: undefined;
  readonly PreAuthentication: undefined;
  readonly PostAuthentication: undefined;
  readonly DefineAuthChallenge: DefineVerdict;
  readonly CreateAuthChallenge: CreatedChallenge;
  /** Whether the answer was right. */
  readonly VerifyAuthChallengeResponse: boolean;
  readonly PreTokenGeneration: TokenOverrides;
  readonly PreTokenGenerationV2: TokenOverrides;
  readonly PreTokenGenerationV3: TokenOverrides;
}

/** What becomes of a sign-up beside its being let through. */
export interface SignUpVerdict {
  readonly autoConfirmUser: boolean;
  readonly autoVerifyEmail: boolean;
  readonly autoVerifyPhone: boolean;
}

/** A row of the table: a kind of trigger, in one version of its event. */
export type TriggerKind = keyof TriggerRequests;

interface TriggerPoint<Kind extends TriggerKind> {
  readonly name: TriggerName;
  /** The version of the event. */
  readonly version: '1' | '2' | '3';
  /** Why it is called, each a value of `triggerSource`. */
  readonly sources: readonly string[];
  /** The `response` that the function finds in its event. */
  readonly response: Answer;
  /**
   * Reads the `response` that came back.
   * @throws {ProviderError} `InvalidLambdaResponseException`
   */
  readonly read: (response: Answer) => TriggerVerdicts[Kind];
}

/** Of most triggers nothing but that they did not fail is of interest. */
const nothing = (): undefined => undefined;

const TOKEN_SOURCES = [
  'TokenGeneration_HostedAuth',
  'TokenGeneration_Authentication',
  'TokenGeneration_NewPasswordChallenge',
  'TokenGeneration_AuthenticateDevice',
  'TokenGeneration_RefreshTokens',
] as const;

/** Every trigger that this pool calls: why, with what event, and what is read of the answer. */
export const TRIGGER_POINTS = {
  PreSignUp: {
    name: 'PreSignUp',
    version: '1',
    sources: ['PreSignUp_SignUp', 'PreSignUp_AdminCreateUser', 'PreSignUp_ExternalProvider'],
    response: { autoConfirmUser: false, autoVerifyEmail: false, autoVerifyPhone: false },
    read: (response) => ({
      autoConfirmUser: booleanIn(response.autoConfirmUser),
      autoVerifyEmail: booleanIn(response.autoVerifyEmail),
      autoVerifyPhone: booleanIn(response.autoVerifyPhone),
    }),
  },
  PostConfirmation: {
    name: 'PostConfirmation',
    version: '1',
    sources: ['PostConfirmation_ConfirmSignUp', 'PostConfirmation_ConfirmForgotPassword'],
    response: {},
    read: nothing,
  },
  PreAuthentication: {
    name: 'PreAuthentication',
    version: '1',
    sources: ['PreAuthentication_Authentication'],
    response: {},
    read: nothing,
  },
  PostAuthentication: {
    name: 'PostAuthentication',
    version: '1',
    sources: ['PostAuthentication_Authentication'],
    response: {},
    read: nothing,
  },
  DefineAuthChallenge: {
    name: 'DefineAuthChallenge',
    version: '1',
    sources: ['DefineAuthChallenge_Authentication'],
    response: { challengeName: null, issueTokens: null, failAuthentication: null },
    read: readDefined,
  },
  CreateAuthChallenge: {
    name: 'CreateAuthChallenge',
    version: '1',
    sources: ['CreateAuthChallenge_Authentication'],
    response: { publicChallengeParameters: null, privateChallengeParameters: null, challengeMetadata: null },
    read: readCreated,
  },
  VerifyAuthChallengeResponse: {
    name: 'VerifyAuthChallengeResponse',
    version: '1',
    sources: ['VerifyAuthChallengeResponse_Authentication'],
    response: { answerCorrect: null },
    read: (response) => booleanIn(response.answerCorrect),
  },
  PreTokenGeneration: {
    name: 'PreTokenGeneration',
    version: '1',
    sources: TOKEN_SOURCES,
    response: { claimsOverrideDetails: null },
    read: readOverridesV1,
  },
  PreTokenGenerationV2: {
    name: 'PreTokenGeneration',
    version: '2',
    sources: TOKEN_SOURCES,
    response: { claimsAndScopeOverrideDetails: null },
    read: readOverridesV2,
  },
  PreTokenGenerationV3: {
    name: 'PreTokenGeneration',
    version: '3',
    sources: [...TOKEN_SOURCES, 'TokenGeneration_ClientCredentials'],
    response: { claimsAndScopeOverrideDetails: null },
    read: readOverridesV2,
  },
} as const satisfies { readonly [Kind in TriggerKind]: TriggerPoint<Kind> };

/** Why a kind of trigger is called. */
export type TriggerSource<Kind extends TriggerKind> = (typeof TRIGGER_POINTS)[Kind]['sources'][number];
