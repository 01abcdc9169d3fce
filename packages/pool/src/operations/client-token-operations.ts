import { ProviderError, type ProviderErrorCode } from '@poolgate/provider';
import { issueClientToken } from '../oauth/client-credentials-grant.ts';
import { isClientSecretValid, requireClientAndPool } from '../settings/pools-and-clients.ts';
import type { OperationTable } from './operation-table.ts';

/** The operation with which machines get tokens from the API. */
export const clientTokenOperations: OperationTable<'getClientToken'> = {
  async getClientToken(ports, { ClientId, Secret, Scopes = [], ClientMetadata: clientMetadata }) {
    const owner = await requireClientAndPool(ports, ClientId);
    if (!isClientSecretValid(ports, owner, Secret)) {
      throw new ProviderError('NotAuthorizedException', `Unable to verify secret for client ${owner.client.id}`, {
        reason: 'client_secret',
      });
    }
    const request = { ...owner, scopes: Scopes, audience: null, isByApi: true, clientMetadata };
    const { scope: _scope, granted: _granted, ...token } = await withDeclaredErrors(issueClientToken(ports, request));
    return { ClientAuthenticationResult: token };
  },
};

/** The operation declares no errors about grants. */
const DECLARED: Partial<Readonly<Record<ProviderErrorCode, ProviderErrorCode>>> = {
  InvalidOAuthFlowException: 'NotAuthorizedException',
  ScopeDoesNotExistException: 'InvalidParameterException',
};

async function withDeclaredErrors<Result>(issued: Promise<Result>): Promise<Result> {
  try {
    return await issued;
  } catch (cause) {
    throw cause instanceof ProviderError ? toDeclaredError(cause) : cause;
  }
}

function toDeclaredError(cause: ProviderError): ProviderError {
  const { code, message, reason } = cause;
  const declaredCode = DECLARED[code];
  if (declaredCode === undefined) return cause;
  return new ProviderError(declaredCode, message, { cause, ...(reason && { reason }) });
}
