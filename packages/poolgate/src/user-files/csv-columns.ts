import { CSV_ATTRIBUTES } from '@poolgate/pool';

/** The column of user names. */
export const USERNAME_COLUMN = 'cognito:username';

/** The column that says whether a user has a second factor by SMS. */
export const MFA_COLUMN = 'cognito:mfa_enabled';

/**
 * The columns of Cognito's import for a pool without custom attributes.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-using-import-tool-csv-header.html
 */
export const COGNITO_COLUMNS = [USERNAME_COLUMN, ...CSV_ATTRIBUTES, MFA_COLUMN] as const;
