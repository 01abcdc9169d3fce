import { ProviderError } from '@poolgate/provider';
import type { AttributeItem, Attributes } from '../identity/attributes.ts';
import type { PoolRecord } from '../store/records.ts';
import { findConfiguredTrigger } from '../triggers/configured-triggers.ts';
import { invokeTrigger } from '../triggers/invoke-trigger.ts';
import type { PreSignUpResponse, TriggerData, TriggerSource } from '../triggers/trigger-definitions.ts';
import type { TriggerPorts } from '../triggers/trigger-ports.ts';

/** The input for a user who is about to be created. */
export interface PreSignUpRequest {
  readonly pool: PoolRecord;
  /** Undefined if an administrator creates the user. */
  readonly clientId: string | undefined;
  readonly source: TriggerSource<'PreSignUp'>;
  readonly username: string;
  readonly attributes: Attributes;
  readonly validationData: readonly AttributeItem[] | undefined;
  readonly clientMetadata: TriggerData | undefined;
}

const NO_RESPONSE: PreSignUpResponse = { autoConfirmUser: false, autoVerifyEmail: false, autoVerifyPhone: false };

/**
 * Asks the trigger whether a user may be created. It is called for every name alike, before checking whether the name is taken.
 * @throws {ProviderError} the trigger refused, or could not be called
 */
export async function invokePreSignUp(ports: TriggerPorts, question: PreSignUpRequest): Promise<PreSignUpResponse> {
  const { pool, clientId, source, username, attributes, validationData, clientMetadata } = question;
  const trigger = findConfiguredTrigger(pool.settings, 'PreSignUp');
  if (trigger === undefined) return NO_RESPONSE;
  const data = validationData?.map(({ Name, Value = '' }) => [Name, Value] as const);
  return invokeTrigger(ports, trigger, {
    pool,
    clientId,
    source,
    userName: username,
    request: { userAttributes: attributes, validationData: data ? Object.fromEntries(data) : null, clientMetadata },
  });
}

/** Marks the contacts that the trigger verifies as verified. */
export function applyAutoVerification(attributes: Attributes, response: PreSignUpResponse): Attributes {
  const vouched = [
    ...(response.autoVerifyEmail ? ['email'] : []),
    ...(response.autoVerifyPhone ? ['phone_number'] : []),
  ];
  const missing = vouched.find((name) => !attributes[name]);
  if (missing !== undefined) {
    const message = `Invalid lambda function output : ${missing} is to be verified, and the user has none`;
    throw new ProviderError('InvalidLambdaResponseException', message);
  }
  return { ...attributes, ...Object.fromEntries(vouched.map((name) => [`${name}_verified`, 'true'])) };
}
