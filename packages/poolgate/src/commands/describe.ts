import { type PoolBody, readPool } from '@poolgate/gateway';
import type { RunCommand } from '../command-line/command.ts';
import { OPERATOR_CALL_CONTEXT } from '../command-line/operator-call.ts';
import { toJsonLine, toSingleLine } from '../process/one-line.ts';
import { translateProviderErrors } from './provider-errors.ts';
import { withPool } from './with-container.ts';

/** Prints the settings of a pool, one a line or as JSON. */
export const runDescribe: RunCommand = async (invocation, terminal) =>
  withPool(invocation, terminal, async ({ provider, userPoolId }) => {
    const pool = await translateProviderErrors(readPool(provider, userPoolId, OPERATOR_CALL_CONTEXT));
    if (invocation.has('json')) terminal.out(toJsonLine({ ...pool }));
    else for (const [label, value] of listRows(pool)) terminal.out(`${label}: ${toSingleLine(toText(value))}`);
    return 0;
  });

type Row = readonly [label: string, value: unknown];

function listRows({ user_pool_id, name, region, issuer, settings, mfa_settings, ...pool }: PoolBody): readonly Row[] {
  const unsupported = pool.unsupported_settings.map(({ setting }) => setting);
  return [
    ['user pool id', user_pool_id],
    ['name', name],
    ['region', region],
    ['issuer', issuer],
    ['domains', pool.domains.map(({ domain }) => domain).join(' ') || '-'],
    ['not supported by this service', unsupported.join(', ') || '-'],
    ...Object.entries({ ...settings, ...mfa_settings }),
  ];
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
