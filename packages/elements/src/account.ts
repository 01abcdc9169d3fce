import { PoolgateAccount } from './account/account-element.ts';
import { PoolgateChangePassword } from './account/change-password.ts';
import { PoolgateDeleteAccount } from './account/delete-account.ts';
import { PoolgateDevices } from './account/devices-section.ts';
import { PoolgateMfa } from './account/mfa-section.ts';
import { PoolgatePasskeys } from './account/passkeys-section.ts';
import { PoolgateProfile } from './account/profile-section.ts';
import { PoolgateSessions } from './account/sessions-section.ts';
import { defineElements } from './elements/define-elements.ts';

export {
  PoolgateAccount,
  PoolgateChangePassword,
  PoolgateDeleteAccount,
  PoolgateDevices,
  PoolgateMfa,
  PoolgatePasskeys,
  PoolgateProfile,
  PoolgateSessions,
};

/** The account elements by name. */
const ACCOUNT = {
  'poolgate-account': PoolgateAccount,
  'poolgate-profile': PoolgateProfile,
  'poolgate-change-password': PoolgateChangePassword,
  'poolgate-mfa': PoolgateMfa,
  'poolgate-passkeys': PoolgatePasskeys,
  'poolgate-devices': PoolgateDevices,
  'poolgate-sessions': PoolgateSessions,
  'poolgate-delete-account': PoolgateDeleteAccount,
} as const;

type AccountMap = { readonly [Name in keyof typeof ACCOUNT]: InstanceType<(typeof ACCOUNT)[Name]> };

declare global {
  interface HTMLElementTagNameMap extends AccountMap {}
}

defineElements(ACCOUNT);
