import type { AwsCredentials } from '@poolgate/provider-cognito';
import type { Environment } from '../config/setting-sources.ts';

/**
 * Returns the AWS credentials of an environment, under the names of the AWS SDK. It returns undefined if there are none; then the SDK
 * searches files and the machine.
 */
export function findAwsCredentials(environment: Environment): (() => Promise<AwsCredentials>) | undefined {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = environment;
  if (!accessKeyId || !secretAccessKey) return undefined;
  const token = AWS_SESSION_TOKEN ? { sessionToken: AWS_SESSION_TOKEN } : {};
  return async () => ({ accessKeyId, secretAccessKey, ...token });
}
