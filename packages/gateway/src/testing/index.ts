/** What the tests of other packages use: a gateway over a real pool. */
export {
  addUser,
  computeTestTotpCode,
  computeWrongTotpCode,
  enrolTotp,
  inviteUser,
  PASSWORD,
  SoftwareAuthenticator,
  sentCode,
  TEST_CALL,
  WEB_AUTHN,
} from '@poolgate/pool/testing';
export {
  type PoolService,
  type PoolServiceResponse,
  startPoolService,
} from './pool-service.ts';
