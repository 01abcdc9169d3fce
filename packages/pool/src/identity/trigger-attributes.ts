import type { UserRecord } from '../store/records.ts';
import type { Attributes } from './attributes.ts';

/** The attributes of a user as triggers receive them, including the two that are not part of the schema. */
export function toTriggerAttributes({
  sub,
  status,
  attributes,
}: Pick<UserRecord, 'sub' | 'status' | 'attributes'>): Attributes {
  return { sub, 'cognito:user_status': status, ...attributes };
}
