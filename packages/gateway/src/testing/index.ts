/** What the tests of other packages run on: a gateway over a real pool. */
export {
  addUser,
  CALL,
  codeOf,
  enrol,
  inviteUser,
  PASSWORD,
  SoftwareAuthenticator,
  sentCode,
  WEB_AUTHN,
  wrongCode,
} from '@poolgate/pool/testing';
export { type PoolAnswer, type PoolService, poolService } from './pool-service.ts';
