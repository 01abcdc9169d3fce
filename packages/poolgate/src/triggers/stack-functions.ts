import type { PoolStore, StackResourceRecord } from '@poolgate/pool/store';

/** The kind of record that says which file replaces a Lambda function of a stack. */
export const FUNCTION_RECORD = 'Function';

/** The name that a file exports its handler by, as in Lambda. */
export const HANDLER_NAME = 'handler';

/** Creates the record of a file that replaces a function. */
export function createFunctionRecord(
  function_: Pick<StackResourceRecord, 'stack' | 'logicalId' | 'modifiedAtMs'>,
  arn: string,
  path: string,
): StackResourceRecord {
  const { stack, logicalId, modifiedAtMs } = function_;
  const applied = { Arn: arn };
  return {
    stack,
    logicalId,
    type: FUNCTION_RECORD,
    poolId: '',
    physicalId: path,
    state: 'applied',
    applied,
    described: applied,
    modifiedAtMs,
  };
}

/** The files that replace functions of stacks, by ARN. */
export async function listStackFunctions({ stacks }: Pick<PoolStore, 'stacks'>): Promise<ReadonlyMap<string, string>> {
  const records = (await stacks.listAllResources()).filter(({ type }) => type === FUNCTION_RECORD);
  return new Map(records.map(({ applied, physicalId }) => [String(applied.Arn), physicalId]));
}
