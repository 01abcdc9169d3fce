import assert from 'node:assert/strict';
import { decodeTokenPart } from '../../../packages/pool/src/testing/test-tokens.ts';
import { assertProblem, PASSWORD, requireTokens, type TestService } from '../services/test-service.ts';
import { formatTriggerArn } from '../triggers/triggered-service.ts';

/** The handlers of examples/triggers that a sign-up and the login after it call. */
export const HANDLER_NAMES = ['preSignUp', 'preTokenGeneration'] as const;

/** The pool settings that name them. */
export function createHandlersConfig(functionOf: (name: (typeof HANDLER_NAMES)[number]) => string = (name) => name) {
  const formatHandlerArn = (name: (typeof HANDLER_NAMES)[number]) => formatTriggerArn(functionOf(name));
  return {
    PreSignUp: formatHandlerArn('preSignUp'),
    PreTokenGenerationConfig: { LambdaVersion: 'V2_0', LambdaArn: formatHandlerArn('preTokenGeneration') },
  };
}

/** Wherever they run, they reject a stranger with their own message, confirm a colleague without a code, and change both tokens. */
export async function assertHandlersWork(service: TestService): Promise<void> {
  const refused = await service.post('/register', { email: 'eve@elsewhere.test', password: PASSWORD });
  assertProblem(refused, 403, 'trigger_refused');
  assert.equal(refused.body.detail, 'Only people of Example Inc. can sign up');
  const email = 'sales.ada@example.com';
  const registered = await service.post('/register', { email, password: PASSWORD });
  assert.equal(registered.status, 200, registered.text);
  const { access, id } = requireTokens(await service.post('/login', { username: email, password: PASSWORD }));
  assert.equal(decodeTokenPart(id, 1).department, 'sales');
  assert.equal(decodeTokenPart(access, 1).department, 'sales');
  assert.equal(decodeTokenPart(access, 1).scope, 'aws.cognito.signin.user.admin reports/read');
}
