import type { UserRecord } from '../store/records.ts';
import type { Attributes } from './attributes.ts';

/** The attributes of a user as triggers are told them: with the two that are no attributes of the schema. */
export function toTriggerAttributes({
  sub,
  status,
  attributes,
}: Pick<UserRecord, 'sub' | 'status' | 'attributes'>): Attributes {
  return { sub, 'cognito:user_status': status, ...attributes };
}
