import type { AccountPort } from './settings-ports.ts';

const NO_ACCOUNT = '000000000000';

/** The AWS account in resource names (ARNs). */
export function resolveArnAccount({ accountId }: AccountPort): string {
  return accountId ?? NO_ACCOUNT;
}

/** The prefix of a user pool's ARN before the resource. */
export function formatArnPrefix(region: string, account: string): string {
  return `arn:aws:cognito-idp:${region}:${account}`;
}
