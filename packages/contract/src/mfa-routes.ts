import { deviceName, endOtherSessions, mfaMethod, session, totpCode, username } from './field-schemas.ts';
import {
  mfaActivation,
  mfaVerification,
  otherSessionsEnded,
  recoveryCodes,
  userFactors,
} from './mfa-response-schemas.ts';
import { defineRoutes } from './route-definition.ts';
import { success } from './success-schema.ts';

const guard = {
  type: 'string',
  enum: ['api', 'web'],
  description: 'The guard that the caller uses. It changes nothing: the mount decides.',
} as const;

const friendlyName = { ...deviceName, description: 'What the user calls the authenticator.' } as const;
const verifySession = {
  ...session,
  description: 'The session from the activation, instead of a token.',
} as const;

const VERIFY_ERRORS = [
  'code_mismatch',
  'code_expired',
  'invalid_session',
  'challenge_mismatch',
  'invalid_parameter',
  'mfa_not_configured',
  'feature_disabled',
] as const;

const operatorMfaBody = {
  type: 'object',
  required: ['username'],
  properties: { username, method: { ...mfaMethod, description: 'Only this factor.' } },
} as const;

/** Routes that manage second factors. */
export const mfaRoutes = defineRoutes({
  mfaActivate: {
    method: 'POST',
    path: '/user/mfa/activate',
    aliases: [{ method: 'GET', path: '/user/mfa/activate' }],
    mount: 'routes',
    guard: 'user-or-session',
    recentLogin: true,
    limit: 'read',
    summary: 'Get a new authenticator secret, for the caller or a pending MFA_SETUP. It works once it is verified',
    query: { type: 'object', properties: { guard } },
    body: {
      type: 'object',
      properties: {
        guard,
        session: { ...session, description: 'The session of a pending MFA_SETUP, instead of a token.' },
        username: { ...username, description: 'With a session: the name under which authenticators list the account.' },
      },
    },
    responses: { 200: { description: 'The secret.', schema: mfaActivation } },
    errors: ['invalid_session', 'challenge_mismatch', 'invalid_parameter', 'feature_disabled'],
  },
  mfaVerify: {
    method: 'POST',
    path: '/user/mfa/verify',
    aliases: [],
    mount: 'routes',
    guard: 'user-or-session',
    recentLogin: true,
    limit: 'login',
    summary: 'Verify the new authenticator, which turns MFA on',
    body: {
      type: 'object',
      required: ['code'],
      properties: {
        code: totpCode,
        device_name: friendlyName,
        session: verifySession,
        end_other_sessions: endOtherSessions,
      },
    },
    responses: { 200: { description: 'MFA is on.', schema: mfaVerification } },
    errors: VERIFY_ERRORS,
  },
  mfaVerifyByPath: {
    method: 'POST',
    path: '/user/mfa/activate/{code}',
    aliases: [],
    mount: 'routes',
    guard: 'user-or-session',
    recentLogin: true,
    limit: 'login',
    summary: 'Same as /user/mfa/verify with the code in the path, for older clients',
    params: { type: 'object', required: ['code'], properties: { code: totpCode } },
    body: {
      type: 'object',
      properties: { device_name: friendlyName, session: verifySession, end_other_sessions: endOtherSessions },
    },
    responses: { 200: { description: 'MFA is on.', schema: mfaVerification } },
    errors: VERIFY_ERRORS,
  },
  mfaPreference: {
    method: 'PUT',
    path: '/user/mfa/preference',
    aliases: [],
    mount: 'routes',
    guard: 'user',
    recentLogin: true,
    limit: 'read',
    summary: 'Set which second factors the caller uses, and which one is preferred',
    body: {
      type: 'object',
      required: ['methods'],
      properties: {
        methods: {
          type: 'object',
          properties: {
            SMS_MFA: { type: 'boolean' },
            EMAIL_OTP: { type: 'boolean' },
            SOFTWARE_TOKEN_MFA: { type: 'boolean' },
          },
          additionalProperties: false,
          description: 'Those that are left out stay as they are.',
        },
        preferred: { ...mfaMethod, description: 'Asked for first. Left out: as before.' },
        end_other_sessions: endOtherSessions,
      },
    },
    responses: { 200: { description: 'Done.', schema: otherSessionsEnded } },
    errors: ['mfa_not_configured', 'invalid_parameter', 'feature_disabled'],
  },
  mfaDeactivate: {
    method: 'POST',
    path: '/user/mfa/deactivate',
    aliases: [],
    mount: 'routes',
    guard: 'user',
    recentLogin: true,
    limit: 'read',
    summary: "Turn the caller's MFA off",
    body: { type: 'object', properties: { end_other_sessions: endOtherSessions } },
    responses: { 200: { description: 'MFA is off.', schema: otherSessionsEnded } },
    errors: ['invalid_parameter', 'feature_disabled'],
  },
  mfaRecoveryCodes: {
    method: 'POST',
    path: '/user/mfa/recovery-codes',
    aliases: [],
    mount: 'routes',
    guard: 'user',
    recentLogin: true,
    limit: 'read',
    summary: 'Create ten recovery codes and void the old ones',
    body: { type: 'object', properties: { end_other_sessions: endOtherSessions } },
    responses: { 200: { description: 'The codes.', schema: recoveryCodes } },
    errors: ['mfa_not_configured', 'invalid_parameter', 'feature_disabled'],
  },
  userFactors: {
    method: 'GET',
    path: '/user/factors',
    aliases: [],
    mount: 'routes',
    guard: 'user',
    limit: 'read',
    summary: "List the caller's factors and the number of recovery codes left",
    responses: { 200: { description: 'The factors.', schema: userFactors } },
    errors: [],
  },
  mfaEnable: {
    method: 'POST',
    path: '/user/mfa/enable',
    aliases: [{ method: 'POST', path: '/mfa/enable' }],
    mount: 'routes',
    guard: 'operator',
    scope: 'mfa:write',
    limit: 'read',
    summary: "Turn a user's MFA on, with the factors that the user has verified",
    body: operatorMfaBody,
    responses: { 200: { description: 'MFA is on.', schema: success } },
    errors: ['user_not_found', 'mfa_not_configured', 'invalid_parameter', 'feature_disabled'],
  },
  mfaDisable: {
    method: 'POST',
    path: '/user/mfa/disable',
    aliases: [{ method: 'POST', path: '/mfa/disable' }],
    mount: 'routes',
    guard: 'operator',
    scope: 'mfa:write',
    limit: 'read',
    summary: "Turn a user's MFA off",
    body: operatorMfaBody,
    responses: { 200: { description: 'MFA is off.', schema: success } },
    errors: ['user_not_found', 'invalid_parameter', 'feature_disabled'],
  },
});
