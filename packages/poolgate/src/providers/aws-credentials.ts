import type { AwsCredentials } from '@poolgate/provider-cognito';
import type { Environment } from '../config/setting-sources.ts';

/**
 * The AWS credentials that an environment holds under the names that the AWS SDK gives them; undefined where it holds none,
 * and the SDK looks further: in files, at the machine.
 */
export function findAwsCredentials(environment: Environment): (() => Promise<AwsCredentials>) | undefined {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = environment;
  if (!accessKeyId || !secretAccessKey) return undefined;
  const token = AWS_SESSION_TOKEN ? { sessionToken: AWS_SESSION_TOKEN } : {};
  return async () => ({ accessKeyId, secretAccessKey, ...token });
}
