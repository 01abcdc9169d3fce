import type { RunCommand } from '../command-line/command.ts';
import { UsageError } from '../command-line/command.ts';
import { OPERATOR_CALL_CONTEXT } from '../command-line/operator-call.ts';
import { readPool } from '../files/outputs/read-pool.ts';
import { writePoolsFile } from '../files/outputs/write-pools-file.ts';
import { writeTemplate } from '../files/outputs/write-template.ts';
import { translateProviderErrors } from './provider-errors.ts';
import { withContainer } from './with-container.ts';

const FORMATS = ['yaml', 'cloudformation'];

/** Writes an existing pool, here or at Amazon Cognito, as a file for `poolgate apply`. */
export const runExport: RunCommand = async (invocation, terminal) => {
  const [format = 'yaml'] = invocation.values('format');
  if (!FORMATS.includes(format)) throw new UsageError(`--format must be one of ${FORMATS.join(', ')}`);
  return withContainer(terminal, async ({ provider, userPoolId: servedPoolId }) => {
    const [userPoolId = servedPoolId] = invocation.operands;
    const pool = await translateProviderErrors(readPool(provider.operations, OPERATOR_CALL_CONTEXT, userPoolId));
    if (format === 'yaml') {
      terminal.out(writePoolsFile(pool, { withIds: invocation.has('with-ids') }).trimEnd());
      return 0;
    }
    const { text, omitted } = writeTemplate(pool);
    terminal.out(text.trimEnd());
    for (const member of omitted) terminal.err(`left out, because CloudFormation has no such property: ${member}`);
    return 0;
  });
};
