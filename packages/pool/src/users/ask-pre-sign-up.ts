import { ProviderError } from '@poolgate/provider';
import type { PoolRecord } from '../store/records.ts';
import { configuredTrigger } from '../triggers/configured.ts';
import { invokeTrigger } from '../triggers/invoke-trigger.ts';
import type { SignUpVerdict, TriggerData, TriggerSource } from '../triggers/points.ts';
import type { TriggerPorts } from '../triggers/trigger-ports.ts';
import type { AttributeItem, Attributes } from './attributes.ts';

/** What is asked of a user who is about to be made. */
export interface SignUpQuestion {
  readonly pool: PoolRecord;
  /** Undefined where an administrator makes the user. */
  readonly clientId: string | undefined;
  readonly source: TriggerSource<'PreSignUp'>;
  readonly username: string;
  readonly attributes: Attributes;
  readonly validationData: readonly AttributeItem[] | undefined;
  readonly clientMetadata: TriggerData | undefined;
}

const NOTHING: SignUpVerdict = { autoConfirmUser: false, autoVerifyEmail: false, autoVerifyPhone: false };

/**
 * Asks whether a user may be made. It is asked for every name alike, before anybody looks whether somebody has it.
 * @throws {ProviderError} no, or nobody could be asked
 */
export async function askPreSignUp(ports: TriggerPorts, question: SignUpQuestion): Promise<SignUpVerdict> {
  const { pool, clientId, source, username, attributes, validationData, clientMetadata } = question;
  const trigger = configuredTrigger(pool.settings, 'PreSignUp');
  if (trigger === undefined) return NOTHING;
  const data = validationData?.map(({ Name, Value = '' }) => [Name, Value] as const);
  return invokeTrigger(ports, trigger, {
    pool,
    clientId,
    source,
    userName: username,
    request: { userAttributes: attributes, validationData: data ? Object.fromEntries(data) : null, clientMetadata },
  });
}

/** The attributes of a user for whose contacts the trigger vouches. */
export function vouchedAttributes(attributes: Attributes, verdict: SignUpVerdict): Attributes {
  const vouched = [...(verdict.autoVerifyEmail ? ['email'] : []), ...(verdict.autoVerifyPhone ? ['phone_number'] : [])];
  const missing = vouched.find((name) => !attributes[name]);
  if (missing !== undefined) {
    const message = `Invalid lambda function output : ${missing} is to be verified, and the user has none`;
    throw new ProviderError('InvalidLambdaResponseException', message);
  }
  return { ...attributes, ...Object.fromEntries(vouched.map((name) => [`${name}_verified`, 'true'])) };
}
