import { TEST_PASSWORD_VARIABLE } from '../config/sources.ts';
import { type CheckUpOptions, checkUp } from '../doctor/check-up.ts';
import { worstResult } from '../doctor/finding.ts';
import { asJson, asTable } from '../doctor/report.ts';
import { HOST_SYSTEM } from '../system.ts';
import type { Invocation, Run, Terminal } from './command.ts';
import { UsageError } from './command.ts';

async function checkUpOptions(invocation: Invocation, { environment, readSecret }: Terminal): Promise<CheckUpOptions> {
  const [username] = invocation.values('test-user');
  const [sendTo] = invocation.values('send-to');
  const withTotp = invocation.has('test-totp');
  if (withTotp && username === undefined) throw new UsageError('--test-totp needs --test-user');
  const options = { withTotp, checklist: invocation.has('checklist'), ...(sendTo === undefined ? {} : { sendTo }) };
  if (username === undefined) return options;
  const password = environment[TEST_PASSWORD_VARIABLE] || (await readSecret(`Password of ${username}: `));
  return { ...options, testUser: { username, password } };
}

/** Looks at everything that the service would use, and says what to change. Exit code 1 where something does not work. */
export const doctor: Run = async (invocation, terminal) => {
  const rows = await checkUp(terminal.environment, HOST_SYSTEM, await checkUpOptions(invocation, terminal));
  const lines = invocation.has('json') ? [asJson(rows)] : asTable(rows);
  for (const line of lines) terminal.out(line);
  return worstResult(rows) === 'fault' ? 1 : 0;
};
