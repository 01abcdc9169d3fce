import type { CallContext } from '@poolgate/provider';

/** The operator at the command line as a caller of the provider. */
export const OPERATOR_CALL_CONTEXT: CallContext = {
  requestId: 'command',
  sourceAddress: '127.0.0.1',
  actor: { kind: 'operator', id: null },
};
