/** The column of user names. */
export const USERNAME_COLUMN = 'cognito:username';

/** The column that says whether a user has a second factor by SMS. */
export const MFA_COLUMN = 'cognito:mfa_enabled';

/**
 * The columns of Cognito's import for a pool without custom attributes.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-using-import-tool-csv-header.html
 */
export const COGNITO_COLUMNS = [
  USERNAME_COLUMN,
  'name',
  'given_name',
  'family_name',
  'middle_name',
  'nickname',
  'preferred_username',
  'profile',
  'picture',
  'website',
  'email',
  'email_verified',
  'gender',
  'birthdate',
  'zoneinfo',
  'locale',
  'phone_number',
  'phone_number_verified',
  'address',
  'updated_at',
  MFA_COLUMN,
] as const;
