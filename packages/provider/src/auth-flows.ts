import type { ParameterKeys } from './challenges.ts';
import type { OperationName } from './operations.ts';

/** A flow that starts a login, without legacy spellings. An app client allows it with `ALLOW_` and this name. */
export type AuthFlow =
  | 'ADMIN_USER_PASSWORD_AUTH'
  | 'CUSTOM_AUTH'
  | 'REFRESH_TOKEN_AUTH'
  | 'USER_AUTH'
  | 'USER_PASSWORD_AUTH'
  | 'USER_SRP_AUTH';

/** The Cognito API's facts about a flow. */
export interface AuthFlowRow {
  /** `AuthParameters` keys in addition to {@link COMMON_FLOW_KEYS}. Other keys are ignored. */
  readonly parameters: ParameterKeys;
  /** The operations that can start it. */
  readonly startedBy: readonly Extract<OperationName, 'InitiateAuth' | 'AdminInitiateAuth'>[];
}

/** `AuthParameters` keys that every flow accepts: the secret hash if the client has a secret, and a remembered device. */
export const COMMON_FLOW_KEYS = {
  required: [],
  optional: ['SECRET_HASH', 'DEVICE_KEY'],
} as const satisfies ParameterKeys;

/**
 * Every authentication flow of the Amazon Cognito user-pools API.
 *
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_InitiateAuth.html
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminInitiateAuth.html
 */
export const AUTH_FLOWS = {
  ADMIN_USER_PASSWORD_AUTH: {
    parameters: { required: ['USERNAME', 'PASSWORD'], optional: [] },
    startedBy: ['AdminInitiateAuth'],
  },
  CUSTOM_AUTH: {
    parameters: { required: ['USERNAME'], optional: ['CHALLENGE_NAME', 'SRP_A'] },
    startedBy: ['InitiateAuth', 'AdminInitiateAuth'],
  },
  REFRESH_TOKEN_AUTH: {
    parameters: { required: ['REFRESH_TOKEN'], optional: [] },
    startedBy: ['InitiateAuth', 'AdminInitiateAuth'],
  },
  USER_AUTH: {
    parameters: {
      required: ['USERNAME'],
      optional: ['PREFERRED_CHALLENGE', 'PASSWORD', 'SRP_A', 'TARGET_ACR_VALUES', 'MAX_AGE', 'ACCESS_TOKEN'],
    },
    startedBy: ['InitiateAuth', 'AdminInitiateAuth'],
  },
  USER_PASSWORD_AUTH: {
    parameters: { required: ['USERNAME', 'PASSWORD'], optional: [] },
    startedBy: ['InitiateAuth'],
  },
  USER_SRP_AUTH: {
    parameters: { required: ['USERNAME', 'SRP_A'], optional: [] },
    startedBy: ['InitiateAuth', 'AdminInitiateAuth'],
  },
} as const satisfies Record<AuthFlow, AuthFlowRow>;

/** Legacy spellings that the `AuthFlow` member still accepts, with the flow that each means. */
export const AUTH_FLOW_ALIASES = {
  ADMIN_NO_SRP_AUTH: 'ADMIN_USER_PASSWORD_AUTH',
  REFRESH_TOKEN: 'REFRESH_TOKEN_AUTH',
} as const satisfies Record<string, AuthFlow>;

/** A value of the `AuthFlow` member: a flow, or a legacy spelling of one. */
export type AuthFlowSpelling = AuthFlow | keyof typeof AUTH_FLOW_ALIASES;

const FLOW_BY_SPELLING: ReadonlyMap<string, AuthFlow> = new Map<string, AuthFlow>([
  ...Object.keys(AUTH_FLOWS).map((name): [string, AuthFlow] => [name, name as AuthFlow]),
  ...Object.entries(AUTH_FLOW_ALIASES),
]);

/** Returns the flow that a value of the `AuthFlow` member means, including legacy spellings; undefined for other values. */
export function parseAuthFlow(spelling: string): AuthFlow | undefined {
  return FLOW_BY_SPELLING.get(spelling);
}
