import type { AccountPort } from './settings-ports.ts';

const NO_ACCOUNT = '000000000000';

/** The AWS account in the names of resources (ARNs). */
export function resolveArnAccount({ accountId }: AccountPort): string {
  return accountId ?? NO_ACCOUNT;
}

/** What stands before the resource in an ARN of a user pool. */
export function formatArnPrefix(region: string, account: string): string {
  return `arn:aws:cognito-idp:${region}:${account}`;
}
