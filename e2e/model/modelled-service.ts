import type { StartOptions } from 'poolgate';
import { BEHIND_PROXY } from '../support/requests/exchange.ts';
import { startTestService } from '../support/services/test-service.ts';
import { openAssembly } from './assembly.ts';
import type { ModelledService, Setting } from './setting.ts';

const FREE = { recovery: 'admin_only' } as const satisfies StartOptions;
const TRUSTING = { deviceReplacesMfa: true, recoveryMethod: undefined } as const;

/** The settings with which the model runs. */
export const SETTINGS = [
  {
    name: 'MFA optional, devices remembered when the user says so',
    rules: { ...TRUSTING, mfa: 'OPTIONAL', methods: ['SOFTWARE_TOKEN_MFA', 'SMS_MFA', 'EMAIL_OTP'], devices: 'opt-in' },
    offersCodes: true,
    options: {
      ...FREE,
      mfaSetup: 'OPTIONAL',
      mfaTypes: ['SOFTWARE_TOKEN_MFA', 'SMS_MFA', 'EMAIL_OTP'],
      firstFactors: ['PASSWORD', 'EMAIL_OTP', 'SMS_OTP'],
      loginFlow: 'password',
    },
  },
  {
    name: 'MFA required by authenticator, devices always remembered',
    rules: { ...TRUSTING, mfa: 'ON', methods: ['SOFTWARE_TOKEN_MFA'], devices: 'always' },
    offersCodes: false,
    options: {
      ...FREE,
      mfaSetup: 'ON',
      mfaTypes: ['SOFTWARE_TOKEN_MFA'],
      firstFactors: ['PASSWORD'],
      deviceTracking: 'always',
      loginFlow: 'password',
    },
  },
  {
    name: 'MFA required by authenticator or e-mail',
    rules: {
      ...TRUSTING,
      mfa: 'ON',
      methods: ['EMAIL_OTP', 'SOFTWARE_TOKEN_MFA'],
      recoveryMethod: 'SMS_MFA',
      devices: 'opt-in',
    },
    offersCodes: false,
    options: {
      recovery: 'phone',
      mfaSetup: 'ON',
      mfaTypes: ['EMAIL_OTP', 'SOFTWARE_TOKEN_MFA'],
      firstFactors: ['PASSWORD'],
      loginFlow: 'srp',
    },
  },
  {
    name: 'no MFA, no devices',
    rules: { ...TRUSTING, mfa: 'OFF', methods: [], devices: 'off' },
    offersCodes: true,
    options: {
      ...FREE,
      mfaSetup: 'OFF',
      deviceTracking: 'off',
      firstFactors: ['PASSWORD', 'EMAIL_OTP', 'SMS_OTP'],
      loginFlow: 'password',
    },
  },
  {
    name: 'MFA optional, and remembered devices prove themselves beside it',
    rules: {
      mfa: 'OPTIONAL',
      methods: ['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP'],
      recoveryMethod: undefined,
      devices: 'always',
      deviceReplacesMfa: false,
    },
    offersCodes: true,
  },
  {
    name: 'triggers decide on the order of logins, MFA optional, devices remembered when the user says so',
    rules: {
      ...TRUSTING,
      mfa: 'OPTIONAL',
      methods: ['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP'],
      devices: 'opt-in',
      triggers: true,
    },
    offersCodes: false,
  },
] as const satisfies readonly Setting[];

/** Starts a service with these settings. */
export async function startModelledService(setting: Setting): Promise<ModelledService> {
  if (setting.options !== undefined) {
    return { setting, service: await startTestService({ ...BEHIND_PROXY, ...setting.options }) };
  }
  const assembly = await openAssembly(setting);
  const { service, triggers } = await assembly.assemble();
  const close = async (): Promise<void> => {
    await service.close();
    await assembly.close();
  };
  return { setting, service: { ...service, close }, ...(triggers && { triggers }) };
}
