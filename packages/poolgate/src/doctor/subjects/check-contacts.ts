import { createWarning, type Finding } from '../findings/finding.ts';

/** The pool settings that decide whether an email address must belong to its user, in the shape of `DescribeUserPool`. */
export interface ContactSettings {
  readonly UsernameAttributes?: readonly string[] | undefined;
  readonly AutoVerifiedAttributes?: readonly string[] | undefined;
  readonly UserAttributeUpdateSettings?:
    | { readonly AttributesRequireVerificationBeforeUpdate?: readonly string[] | undefined }
    | undefined;
}

const BY_SUB =
  'Applications should identify users by sub (X-Poolgate-Sub) and trust an address only if it is verified.';

/** Warns if users can have another person's email address. No warning if every address is verified first. */
export function checkContacts(pool: ContactSettings): readonly Finding[] {
  const { UsernameAttributes = [], AutoVerifiedAttributes = [], UserAttributeUpdateSettings = {} } = pool;
  const { AttributesRequireVerificationBeforeUpdate: verifiedFirst = [] } = UserAttributeUpdateSettings;
  const confirmsPhones = [...UsernameAttributes, ...AutoVerifiedAttributes].includes('phone_number');
  return [
    ...(verifiedFirst.includes('email')
      ? []
      : [
          createWarning(
            'Users can enter the email address of another person: AttributesRequireVerificationBeforeUpdate of the pool does not include email, so an address changes before it is verified.',
            `Send UserAttributeUpdateSettings with email in every UpdateUserPool; a call without this member clears it. ${BY_SUB}`,
          ),
        ]),
    ...(confirmsPhones || !AutoVerifiedAttributes.includes('email')
      ? [
          createWarning(
            'Users can sign up without proving their email address: the pool confirms them by phone or by an administrator, and the address stays unverified.',
            BY_SUB,
          ),
        ]
      : []),
  ];
}
