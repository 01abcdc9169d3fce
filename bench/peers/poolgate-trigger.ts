import { fileURLToPath } from 'node:url';
import type { Account, Target } from '../load/drive.ts';
import { callOperation } from '../load/request.ts';
import type { Program } from '../rig/server.ts';
import { fillPoolgate } from './poolgate.ts';
import { AS_ADMIN, oauthProgram } from './poolgate-oauth.ts';

const ARN = 'arn:aws:lambda:us-east-1:000000000000:function:pre-token-generation';

/** Poolgate with the example triggers. Only the pre-token trigger is mapped. */
export async function createTriggerProgram(folder: string): Promise<Program> {
  const program = await oauthProgram(folder);
  const POOLGATE_TRIGGERS = fileURLToPath(import.meta.resolve('../../examples/triggers/handlers.ts'));
  const POOLGATE_TRIGGER_MAP = `${ARN}=preTokenGeneration`;
  return { ...program, environment: { ...program.environment, POOLGATE_TRIGGERS, POOLGATE_TRIGGER_MAP } };
}

/** Creates the users of a pool that calls the trigger before each pair of tokens. */
export async function fillWithTrigger(url: string, accounts: readonly Account[]): Promise<Target> {
  const target = await fillPoolgate(url, accounts);
  const LambdaConfig = { PreTokenGenerationConfig: { LambdaVersion: 'V2_0', LambdaArn: ARN } };
  await callOperation(url, 'UpdateUserPool', { UserPoolId: target.userPoolId, LambdaConfig }, AS_ADMIN);
  return target;
}
