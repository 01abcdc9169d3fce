import type { Invocation, RunCommand, Terminal } from '../command-line/command.ts';
import { UsageError } from '../command-line/command.ts';
import { TEST_PASSWORD_VARIABLE } from '../config/setting-sources.ts';
import { type CheckUpOptions, runCheckUp } from '../doctor/check-up.ts';
import { formatJson, formatTable } from '../doctor/check-up-report.ts';
import { findWorstResult } from '../doctor/findings/finding.ts';
import { HOST_SYSTEM } from '../process/system.ts';

async function readCheckUpOptions(
  invocation: Invocation,
  { environment, readSecret }: Terminal,
): Promise<CheckUpOptions> {
  const [username] = invocation.values('test-user');
  const [sendTo] = invocation.values('send-to');
  const withTotp = invocation.has('test-totp');
  if (withTotp && username === undefined) throw new UsageError('--test-totp needs --test-user');
  const options = { withTotp, checklist: invocation.has('checklist'), ...(sendTo === undefined ? {} : { sendTo }) };
  if (username === undefined) return options;
  const password = environment[TEST_PASSWORD_VARIABLE] || (await readSecret(`Password of ${username}: `));
  return { ...options, testUser: { username, password } };
}

/** Checks everything that the service would use, and suggests fixes. Exit code 1 if something does not work. */
export const runDoctor: RunCommand = async (invocation, terminal) => {
  const rows = await runCheckUp(terminal.environment, HOST_SYSTEM, await readCheckUpOptions(invocation, terminal));
  const lines = invocation.has('json') ? [formatJson(rows)] : formatTable(rows);
  for (const line of lines) terminal.out(line);
  return findWorstResult(rows) === 'fault' ? 1 : 0;
};
