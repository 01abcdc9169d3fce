import { CSV_ATTRIBUTES } from '@poolgate/pool';

/** The column of usernames. */
export const USERNAME_COLUMN = 'cognito:username';

/** The column that says whether SMS is the user's second factor. */
export const MFA_COLUMN = 'cognito:mfa_enabled';

/**
 * The columns of Cognito's import for a pool without custom attributes.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-using-import-tool-csv-header.html
 */
export const COGNITO_COLUMNS = [USERNAME_COLUMN, ...CSV_ATTRIBUTES, MFA_COLUMN] as const;
