export { bigIntEngine, powModSteps } from './bigint-engine.ts';
export { concat, constantTimeEqual, fromBase64, fromHex, toBase64, toHex, utf8 } from './bytes.ts';
export {
  type ClientFinish,
  type ClientStart,
  finishClient,
  passwordClaim,
  startClient,
  startClientFrom,
} from './client.ts';
export { computeHere, type SrpComputations, type SrpComputationsHere } from './computations.ts';
export {
  type DeviceConfigRules,
  type DeviceNames,
  type DeviceSecretVerifierConfig,
  type DeviceVerifier,
  deviceIdentity,
  makeDeviceVerifier,
  parseDeviceConfig,
} from './device.ts';
export type { SrpEngine, SrpSuite } from './engine.ts';
export { SrpError, type SrpErrorCode } from './error.ts';
export { COGNITO_GROUP, type SrpGroup } from './group.ts';
export { bytesFromInteger, hexFromInteger, integerFromBytes, integerFromHex, padInteger } from './integer.ts';
export { parsePrivateValue, parsePublicValue, parseVerifier } from './parse-values.ts';
export { parsePasswordHash, passwordHash, type SrpIdentity } from './password.ts';
export { claimMessage, type PasswordClaim, signClaim, verifyClaim } from './password-claim.ts';
export { drawPrivateValue, type RandomBytes, secureRandom } from './random.ts';
export { RFC5054_GROUPS } from './rfc5054-groups.ts';
export { answerSrpA, type ServerExchange } from './server.ts';
export { formatTimestamp, parseIsoTimestamp, parseTimestamp } from './timestamp.ts';
export { drawSalt, makeVerifier, matchesVerifier, type StoredVerifier, verifierFor } from './verifier.ts';
