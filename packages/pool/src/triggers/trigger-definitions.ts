import type { Attributes } from '../identity/attributes.ts';
import {
  type CreateAuthChallengeResponse,
  type CustomAuthStepResult,
  type CustomAuthTriggerRequest,
  type DefineAuthChallengeResponse,
  parseCreateAuthChallengeResponse,
  parseDefineAuthChallengeResponse,
} from './custom-auth-triggers.ts';
import {
  parseBoolean,
  parseOptional,
  parseText,
  parseTextMap,
  type RawTriggerResponse,
} from './parse-trigger-response.ts';
import { parseTokenOverridesV1, parseTokenOverridesV2, type TokenOverrides } from './token-overrides.ts';
import { invalidTriggerResponseError } from './trigger-errors.ts';

/** A client's data for triggers (Cognito `ClientMetadata`, `ValidationData`). */
export type TriggerData = Readonly<Record<string, string>>;

/** The input of each kind of trigger: the `request` of its event. Undefined members are omitted. */
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
  readonly UserMigration: {
    /** Omitted for a forgotten password. */
    readonly password?: string | undefined;
    readonly validationData: TriggerData;
    readonly clientMetadata?: TriggerData | undefined;
  };
  readonly CustomMessage: {
    readonly userAttributes: Attributes;
    readonly codeParameter: string;
    readonly linkParameter: string;
    readonly usernameParameter: string | null;
    readonly clientMetadata?: TriggerData | undefined;
  };
  readonly DefineAuthChallenge: CustomAuthTriggerRequest & { readonly session: readonly CustomAuthStepResult[] };
  readonly CreateAuthChallenge: CustomAuthTriggerRequest & {
    readonly challengeName: 'CUSTOM_CHALLENGE';
    readonly session: readonly CustomAuthStepResult[];
  };
  readonly VerifyAuthChallengeResponse: CustomAuthTriggerRequest & {
    readonly privateChallengeParameters: Readonly<Record<string, string>>;
    readonly challengeAnswer: string;
  };
  readonly InboundFederation: {
    readonly providerName: string;
    readonly providerType: string;
    /** What the provider answered; tokens are left out. */
    readonly attributes: {
      readonly tokenResponse: Attributes;
      readonly idToken?: Attributes;
      readonly userInfo?: Attributes;
    };
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

/** The parsed responses. */
export interface TriggerResponses {
  readonly PreSignUp: PreSignUpResponse;
  readonly PostConfirmation: undefined;
  readonly PreAuthentication: undefined;
  readonly PostAuthentication: undefined;
  /** Undefined for an unknown user. */
  readonly UserMigration: UserMigrationResponse | undefined;
  readonly CustomMessage: CustomMessageResponse;
  readonly DefineAuthChallenge: DefineAuthChallengeResponse;
  readonly CreateAuthChallenge: CreateAuthChallengeResponse;
  /** Whether the answer was correct. */
  readonly VerifyAuthChallengeResponse: boolean;
  /** The claims that are mapped to attributes; without any, all of the provider's. */
  readonly InboundFederation: Attributes;
  readonly PreTokenGeneration: TokenOverrides;
  readonly PreTokenGenerationV2: TokenOverrides;
  readonly PreTokenGenerationV3: TokenOverrides;
}

/** How a permitted sign-up is handled. */
export interface PreSignUpResponse {
  readonly autoConfirmUser: boolean;
  readonly autoVerifyEmail: boolean;
  readonly autoVerifyPhone: boolean;
}

/** A user of an older system. */
export interface UserMigrationResponse {
  readonly userAttributes: Attributes;
  /** Whether the sent password becomes the user's. */
  readonly isConfirmed: boolean;
  readonly forceAliasCreation: boolean;
}

/** The text of a message. Omitted texts stay the same. */
export interface CustomMessageResponse {
  readonly smsMessage: string | undefined;
  readonly emailMessage: string | undefined;
  readonly emailSubject: string | undefined;
}

/** A row of the table: a kind of trigger in one version of its event. */
export type TriggerKind = keyof TriggerRequests;

/** A trigger's name in errors and settings, independent of the event's version. */
type TriggerName = Exclude<TriggerKind, `${string}V${number}`>;

interface TriggerDefinition<Kind extends TriggerKind> {
  readonly name: TriggerName;
  /** The version of the event. */
  readonly version: '1' | '2' | '3';
  /** The reasons for a call, each a value of `triggerSource`. */
  readonly sources: readonly string[];
  /** The initial `response` in the function's event. */
  readonly response: RawTriggerResponse;
  /**
   * Parses the returned `response`.
   * @throws {ProviderError} `InvalidLambdaResponseException`
   */
  readonly read: (response: RawTriggerResponse) => TriggerResponses[Kind];
}

/** For most triggers, only their success matters. */
const nothing = (): undefined => undefined;

/** As for a pool's templates (Cognito). */
const MESSAGE_LENGTHS = { sms: 140, email: 20_000, subject: 140 } as const;

function createBoundedTextParser(most: number): (value: unknown) => string {
  return (value) => {
    const text = parseText(value);
    if (text.length > most) throw invalidTriggerResponseError();
    return text;
  };
}

function parseFinalStatus(value: unknown): string {
  const status = parseText(value);
  if (status !== 'CONFIRMED' && status !== 'RESET_REQUIRED') throw invalidTriggerResponseError();
  return status;
}

const TOKEN_SOURCES = [
  'TokenGeneration_HostedAuth',
  'TokenGeneration_Authentication',
  'TokenGeneration_NewPasswordChallenge',
  'TokenGeneration_AuthenticateDevice',
  'TokenGeneration_RefreshTokens',
] as const;

/** Every trigger that this pool calls, with its reasons, its event, and what is parsed from the response. */
export const TRIGGER_DEFINITIONS = {
  PreSignUp: {
    name: 'PreSignUp',
    version: '1',
    sources: ['PreSignUp_SignUp', 'PreSignUp_AdminCreateUser', 'PreSignUp_ExternalProvider'],
    response: { autoConfirmUser: false, autoVerifyEmail: false, autoVerifyPhone: false },
    read: (response) => ({
      autoConfirmUser: parseBoolean(response.autoConfirmUser),
      autoVerifyEmail: parseBoolean(response.autoVerifyEmail),
      autoVerifyPhone: parseBoolean(response.autoVerifyPhone),
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
  UserMigration: {
    name: 'UserMigration',
    version: '1',
    sources: ['UserMigration_Authentication', 'UserMigration_ForgotPassword'],
    response: {
      userAttributes: null,
      finalUserStatus: null,
      messageAction: null,
      desiredDeliveryMediums: null,
      forceAliasCreation: null,
      enableSMSMFA: null,
    },
    read(response) {
      const userAttributes = parseOptional(response.userAttributes, parseTextMap);
      const isConfirmed = parseOptional(response.finalUserStatus, parseFinalStatus) === 'CONFIRMED';
      const forceAliasCreation = parseBoolean(response.forceAliasCreation);
      return userAttributes && { userAttributes, isConfirmed, forceAliasCreation };
    },
  },
  CustomMessage: {
    name: 'CustomMessage',
    version: '1',
    sources: [
      'CustomMessage_SignUp',
      'CustomMessage_AdminCreateUser',
      'CustomMessage_ResendCode',
      'CustomMessage_ForgotPassword',
      'CustomMessage_UpdateUserAttribute',
      'CustomMessage_VerifyUserAttribute',
      'CustomMessage_Authentication',
    ],
    response: { smsMessage: null, emailMessage: null, emailSubject: null },
    read: (response) => ({
      smsMessage: parseOptional(response.smsMessage, createBoundedTextParser(MESSAGE_LENGTHS.sms)),
      emailMessage: parseOptional(response.emailMessage, createBoundedTextParser(MESSAGE_LENGTHS.email)),
      emailSubject: parseOptional(response.emailSubject, createBoundedTextParser(MESSAGE_LENGTHS.subject)),
    }),
  },
  DefineAuthChallenge: {
    name: 'DefineAuthChallenge',
    version: '1',
    sources: ['DefineAuthChallenge_Authentication'],
    response: { challengeName: null, issueTokens: null, failAuthentication: null },
    read: parseDefineAuthChallengeResponse,
  },
  CreateAuthChallenge: {
    name: 'CreateAuthChallenge',
    version: '1',
    sources: ['CreateAuthChallenge_Authentication'],
    response: { publicChallengeParameters: null, privateChallengeParameters: null, challengeMetadata: null },
    read: parseCreateAuthChallengeResponse,
  },
  VerifyAuthChallengeResponse: {
    name: 'VerifyAuthChallengeResponse',
    version: '1',
    sources: ['VerifyAuthChallengeResponse_Authentication'],
    response: { answerCorrect: null },
    read: (response) => parseBoolean(response.answerCorrect),
  },
  InboundFederation: {
    name: 'InboundFederation',
    version: '1',
    sources: ['InboundFederation_ExternalProvider'],
    response: { userAttributesToMap: {} },
    read: (response) => parseOptional(response.userAttributesToMap, parseTextMap) ?? {},
  },
  PreTokenGeneration: {
    name: 'PreTokenGeneration',
    version: '1',
    sources: TOKEN_SOURCES,
    response: { claimsOverrideDetails: null },
    read: parseTokenOverridesV1,
  },
  PreTokenGenerationV2: {
    name: 'PreTokenGeneration',
    version: '2',
    sources: TOKEN_SOURCES,
    response: { claimsAndScopeOverrideDetails: null },
    read: parseTokenOverridesV2,
  },
  PreTokenGenerationV3: {
    name: 'PreTokenGeneration',
    version: '3',
    sources: [...TOKEN_SOURCES, 'TokenGeneration_ClientCredentials'],
    response: { claimsAndScopeOverrideDetails: null },
    read: parseTokenOverridesV2,
  },
} as const satisfies { readonly [Kind in TriggerKind]: TriggerDefinition<Kind> };

/** The reasons for calling a kind of trigger. */
export type TriggerSource<Kind extends TriggerKind> = (typeof TRIGGER_DEFINITIONS)[Kind]['sources'][number];
