import assert from 'node:assert/strict';
import type { StartOptions } from 'poolgate';
import { TestClock } from '../../../packages/pool/src/testing/test-environment.ts';
import { startTestService, type TestService } from '../services/test-service.ts';

/** Returns the ARN of a function with this name. */
export function formatTriggerArn(name: string): string {
  return `arn:aws:lambda:us-east-1:123456789012:function:${name}`;
}

/** Returns the entries of the map that give each name one target. */
export function toFunctionMap(names: readonly string[], target: (name: string) => string): readonly string[] {
  return names.map((name) => `${formatTriggerArn(name)}=${target(name)}`);
}

/** Starts a service whose pool has these functions in its settings. */
export async function startTriggeredService(lambdaConfig: object, options: StartOptions = {}): Promise<TestService> {
  const service = await startTestService(options, new TestClock(Date.now()));
  await setLambdaConfig(service, lambdaConfig);
  return service;
}

/** Sets the triggers of the served pool; its other settings stay unchanged. */
export async function setLambdaConfig(service: TestService, LambdaConfig: object): Promise<void> {
  const updated = await service.call(
    'UpdateUserPool',
    {
      UserPoolId: service.userPoolId,
      LambdaConfig,
      AutoVerifiedAttributes: ['email'],
      DeviceConfiguration: { ChallengeRequiredOnNewDevice: true, DeviceOnlyRememberedOnUserPrompt: true },
      AccountRecoverySetting: { RecoveryMechanisms: [{ Priority: 1, Name: 'verified_email' }] },
    },
    service.asAdmin,
  );
  assert.equal(updated.status, 200, updated.text);
}
