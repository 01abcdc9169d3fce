/** The keys of a string map at the Cognito-compatible API: required and optional ones. */
export interface ParameterKeys {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/** A challenge of a login (Cognito `ChallengeNameType` without the legacy value that is a flow's name). */
export type ChallengeName =
  | 'CUSTOM_CHALLENGE'
  | 'DEVICE_PASSWORD_VERIFIER'
  | 'DEVICE_SRP_AUTH'
  | 'EMAIL_OTP'
  | 'MFA_SETUP'
  | 'NEW_PASSWORD_REQUIRED'
  | 'PASSWORD'
  | 'PASSWORD_SRP'
  | 'PASSWORD_VERIFIER'
  | 'SELECT_CHALLENGE'
  | 'SELECT_MFA_TYPE'
  | 'SMS_MFA'
  | 'SMS_OTP'
  | 'SOFTWARE_TOKEN_MFA'
  | 'WEB_AUTHN';

/** The Cognito API's facts about a challenge. */
export interface ChallengeRow {
  /** `ChallengeResponses` keys in addition to {@link COMMON_ANSWER_KEYS}. Other keys are ignored. */
  readonly answer: ParameterKeys;
  /** Keys that may replace a required one in a pool that accepts password verifiers. Cognito ignores them. */
  readonly instead?: Readonly<Record<string, readonly string[]>>;
  /** The prefix of additional response keys, for challenges that accept a family of keys. */
  readonly answerPrefix?: string;
  /** `ChallengeParameters` keys that come with the challenge. */
  readonly parameters: ParameterKeys;
  /** The parameters whose value is JSON text. */
  readonly jsonParameters?: readonly string[];
  /** Whether the response must contain `Session`. If it is optional, another key of the response carries the state. */
  readonly session: 'required' | 'optional';
  /** For challenges that are answered with the name of the next one: the possible names. */
  readonly choices?: readonly ChallengeName[];
}

/** `ChallengeResponses` keys of every response: the username is required, and so is the secret hash if the client has a secret. */
export const COMMON_ANSWER_KEYS = {
  required: ['USERNAME'],
  optional: ['SECRET_HASH', 'DEVICE_KEY'],
} as const satisfies ParameterKeys;

const NO_KEYS = { required: [], optional: [] } as const satisfies ParameterKeys;
const CODE_DELIVERY = ['CODE_DELIVERY_DELIVERY_MEDIUM', 'CODE_DELIVERY_DESTINATION'] as const;
const SRP_CLAIM = ['PASSWORD_CLAIM_SIGNATURE', 'PASSWORD_CLAIM_SECRET_BLOCK', 'TIMESTAMP'] as const;

/**
 * Every challenge of the Amazon Cognito user-pools API, with the keys of its response and its parameters.
 *
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_RespondToAuthChallenge.html
 */
export const CHALLENGES = {
  CUSTOM_CHALLENGE: { answer: { required: ['ANSWER'], optional: [] }, parameters: NO_KEYS, session: 'required' },
  DEVICE_PASSWORD_VERIFIER: {
    answer: { required: ['DEVICE_KEY', ...SRP_CLAIM], optional: [] },
    parameters: { required: ['SALT', 'SRP_B', 'SECRET_BLOCK', 'USERNAME', 'DEVICE_KEY'], optional: [] },
    session: 'required',
  },
  DEVICE_SRP_AUTH: {
    answer: { required: ['DEVICE_KEY', 'SRP_A'], optional: [] },
    parameters: { required: [], optional: ['USERNAME', 'DEVICE_KEY'] },
    session: 'required',
  },
  EMAIL_OTP: {
    answer: { required: ['EMAIL_OTP_CODE'], optional: [] },
    parameters: { required: CODE_DELIVERY, optional: ['USER_ID_FOR_SRP'] },
    session: 'required',
  },
  MFA_SETUP: {
    answer: { required: [], optional: ['EMAIL', 'email'] },
    parameters: { required: ['MFAS_CAN_SETUP', 'USER_ID_FOR_SRP'], optional: [] },
    jsonParameters: ['MFAS_CAN_SETUP'],
    session: 'required',
  },
  NEW_PASSWORD_REQUIRED: {
    answer: { required: ['NEW_PASSWORD'], optional: [] },
    instead: { NEW_PASSWORD: ['PASSWORD_SALT', 'PASSWORD_VERIFIER'] },
    answerPrefix: 'userAttributes.',
    parameters: { required: ['USER_ID_FOR_SRP', 'requiredAttributes', 'userAttributes'], optional: [] },
    jsonParameters: ['requiredAttributes', 'userAttributes'],
    session: 'required',
  },
  PASSWORD: { answer: { required: ['PASSWORD'], optional: [] }, parameters: NO_KEYS, session: 'required' },
  PASSWORD_SRP: { answer: { required: ['SRP_A'], optional: [] }, parameters: NO_KEYS, session: 'required' },
  PASSWORD_VERIFIER: {
    answer: { required: SRP_CLAIM, optional: [] },
    parameters: { required: ['SALT', 'SRP_B', 'SECRET_BLOCK', 'USERNAME', 'USER_ID_FOR_SRP'], optional: [] },
    session: 'optional',
  },
  SELECT_CHALLENGE: {
    answer: { required: ['ANSWER'], optional: ['PASSWORD', 'SRP_A', 'CREDENTIAL'] },
    parameters: NO_KEYS,
    session: 'required',
    choices: ['PASSWORD', 'PASSWORD_SRP', 'EMAIL_OTP', 'SMS_OTP', 'WEB_AUTHN'],
  },
  SELECT_MFA_TYPE: {
    answer: { required: ['ANSWER'], optional: [] },
    parameters: { required: ['MFAS_CAN_CHOOSE', 'USER_ID_FOR_SRP'], optional: CODE_DELIVERY },
    jsonParameters: ['MFAS_CAN_CHOOSE'],
    session: 'required',
    choices: ['SMS_MFA', 'SOFTWARE_TOKEN_MFA', 'EMAIL_OTP'],
  },
  SMS_MFA: {
    answer: { required: ['SMS_MFA_CODE'], optional: [] },
    parameters: { required: [...CODE_DELIVERY, 'USER_ID_FOR_SRP'], optional: [] },
    session: 'required',
  },
  SMS_OTP: {
    answer: { required: ['SMS_OTP_CODE'], optional: [] },
    parameters: { required: CODE_DELIVERY, optional: [] },
    session: 'required',
  },
  SOFTWARE_TOKEN_MFA: {
    answer: { required: ['SOFTWARE_TOKEN_MFA_CODE'], optional: [] },
    parameters: { required: ['USER_ID_FOR_SRP'], optional: ['FRIENDLY_DEVICE_NAME'] },
    session: 'required',
  },
  WEB_AUTHN: {
    answer: { required: ['CREDENTIAL'], optional: [] },
    parameters: { required: ['CREDENTIAL_REQUEST_OPTIONS'], optional: [] },
    jsonParameters: ['CREDENTIAL_REQUEST_OPTIONS'],
    session: 'required',
  },
} as const satisfies Record<ChallengeName, ChallengeRow>;

/**
 * The answer to the `CUSTOM_CHALLENGE` that asks whether to keep an account, and the parameter of that challenge that contains the time of
 * the deletion.
 */
export const KEEP_ACCOUNT = 'KEEP_ACCOUNT';

/** Whether a text is the name of a challenge. */
export function isChallengeName(name: string): name is ChallengeName {
  return Object.hasOwn(CHALLENGES, name);
}
