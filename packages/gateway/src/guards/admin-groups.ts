import type { AdminScope } from '@poolgate/provider';

/** Members of the groups in `IDP_ADMIN_GROUPS` can do what this scope permits, so only a key that has it adds members to them. */
export const ADMIN_GROUP_SCOPE: AdminScope = 'mfa:write';
