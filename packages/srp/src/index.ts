export { bigIntEngine } from './bigint-engine.ts';
export { concat, constantTimeEqual, fromBase64, fromHex, toBase64, toHex, utf8 } from './bytes.ts';
export { type Claim, claimMessage, signClaim, verifyClaim } from './claim.ts';
export {
  type ClientFinish,
  type ClientStart,
  finishClient,
  passwordClaim,
  startClient,
  startClientFrom,
} from './client.ts';
export {
  type DeviceConfigRules,
  type DeviceNames,
  type DeviceSecretVerifierConfig,
  type DeviceVerifier,
  deviceIdentity,
  makeDeviceVerifier,
  parseDeviceConfig,
} from './device.ts';
export type { Engine, Suite } from './engine.ts';
export { SrpError, type SrpErrorCode } from './error.ts';
export { COGNITO_GROUP, type Group, RFC5054_GROUPS } from './group.ts';
export { bytesFromInteger, hexFromInteger, integerFromBytes, integerFromHex, pad } from './integer.ts';
export { parsePasswordHash, passwordHash, type SrpIdentity } from './password.ts';
export { type RandomBytes, secureRandom } from './random.ts';
export { parsePrivateValue, parsePublicValue, parseVerifier } from './range.ts';
export { answerClient, type ServerAnswer } from './server.ts';
export { formatTimestamp, parseIsoTimestamp, parseTimestamp } from './timestamp.ts';
export { makeVerifier, matchesVerifier, type StoredVerifier, verifierFor } from './verifier.ts';
