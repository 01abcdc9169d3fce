import type { AccessRow } from './operation-row.ts';
import type { ProviderErrorCode } from './provider-error.ts';

/** An operation of the Cognito API that the embedded pool does not support: who may call it, and the error. */
export type RefusedOperationRow = AccessRow & {
  /** An error that the operation declares. */
  readonly code: ProviderErrorCode;
  readonly message: string;
};

const READ = { access: 'admin', scope: 'users:read' } as const;
const WRITE = { access: 'admin', scope: 'pool:write' } as const;

const NO_TERMS = { code: 'ResourceNotFoundException', message: 'The terms do not exist.' } as const;
const NO_IMPORT_JOB = { code: 'ResourceNotFoundException', message: 'The user import job does not exist.' } as const;
const NO_REPLICA = { code: 'ResourceNotFoundException', message: 'The user pool replica does not exist.' } as const;
const NO_THREAT_PROTECTION = {
  code: 'UserPoolAddOnNotEnabledException',
  message: 'Threat protection is not supported by this service.',
} as const;
const NO_LIMIT = { code: 'ResourceNotFoundException', message: 'The provisioned limit does not exist.' } as const;

/** Not `OperationNotEnabledException`, which last year's SDKs do not know. */
function createNotSupportedRefusal(what: string) {
  return { code: 'InvalidParameterException', message: `${what} not supported by this service.` } as const;
}

const NO_MANAGED_LOGIN = createNotSupportedRefusal('Managed login is');
const NO_IMPORT_JOBS = createNotSupportedRefusal('User import jobs are');

/**
 * Every operation of the Cognito API that neither belongs to the port nor returns an empty result. They concern AWS itself: terms of
 * hosted pages, import jobs in S3, threat protection, replicas, quotas. The caller's access is checked first, then the
 * request. Reads then fail with "does not exist", and writes with "not supported".
 *
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_Operations.html
 */
export const REFUSED_OPERATIONS = {
  AdminListUserAuthEvents: { access: 'admin', scope: 'audit:read', ...NO_THREAT_PROTECTION },
  AdminUpdateAuthEventFeedback: { access: 'admin', scope: 'users:write', ...NO_THREAT_PROTECTION },
  CreateTerms: { ...WRITE, ...NO_MANAGED_LOGIN },
  CreateUserImportJob: { ...WRITE, ...NO_IMPORT_JOBS },
  CreateUserPoolReplica: { ...WRITE, ...createNotSupportedRefusal('Replicas are') },
  DeleteTerms: { ...WRITE, ...NO_TERMS },
  DeleteUserPoolReplica: { ...WRITE, ...NO_REPLICA },
  DescribeTerms: { ...READ, ...NO_TERMS },
  DescribeTermsByClient: { ...READ, ...NO_TERMS },
  DescribeUserImportJob: { ...READ, ...NO_IMPORT_JOB },
  GetProvisionedLimit: { ...READ, ...NO_LIMIT },
  GetSigningCertificate: { ...READ, ...createNotSupportedRefusal('Signing certificates are') },
  StartUserImportJob: { ...WRITE, ...NO_IMPORT_JOB },
  StopUserImportJob: { ...WRITE, ...NO_IMPORT_JOB },
  UpdateAuthEventFeedback: { access: 'client', ...NO_THREAT_PROTECTION },
  UpdateProvisionedLimit: { ...WRITE, ...NO_LIMIT },
  UpdateTerms: { ...WRITE, ...NO_TERMS },
  UpdateUserPoolReplica: { ...WRITE, ...NO_REPLICA },
} as const satisfies Record<string, RefusedOperationRow>;

/** The name of an unsupported operation of the Cognito API. */
export type RefusedOperationName = keyof typeof REFUSED_OPERATIONS;
