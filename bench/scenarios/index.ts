import type { Scenario } from '../rig/scenario.ts';
import { browserLogin } from './browser-login.ts';
import { browserSessions } from './browser-sessions.ts';
import { codeSending } from './code-sending.ts';
import { cognitoGateway } from './cognito-gateway.ts';
import { limits } from './limits.ts';
import { login } from './login.ts';
import { oauth } from './oauth.ts';
import { passkeys } from './passkeys.ts';
import { replica } from './replica.ts';
import { secondFactor } from './second-factor.ts';
import { signInPage } from './sign-in-page.ts';
import { signedIn } from './signed-in.ts';
import { srpClient } from './srp-client.ts';
import { srpServer } from './srp-server.ts';
import { startUp } from './start-up.ts';
import { testStart } from './test-start.ts';
import { threads } from './threads.ts';
import { triggerLogin } from './trigger-login.ts';
import { triggers } from './triggers.ts';
import { userImport } from './user-import.ts';
import { userList } from './user-list.ts';

/** All scenarios, in the order of the report. A new scenario is a file here and a row. */
export const SCENARIOS: readonly Scenario[] = [
  srpClient,
  srpServer,
  login,
  threads,
  limits,
  secondFactor,
  passkeys,
  signedIn,
  triggers,
  triggerLogin,
  replica,
  browserSessions,
  signInPage,
  browserLogin,
  oauth,
  cognitoGateway,
  userList,
  userImport,
  codeSending,
  startUp,
  testStart,
];
