import { PoolgateAccount } from './account/account-element.ts';
import { PoolgateApplications } from './account/applications-section.ts';
import { PoolgateChangePassword } from './account/change-password.ts';
import { PoolgateDeleteAccount } from './account/delete-account.ts';
import { PoolgateDevices } from './account/devices-section.ts';
import { PoolgateEvents } from './account/events-section.ts';
import { PoolgateExportData } from './account/export-section.ts';
import { PoolgateIdentities } from './account/identities-section.ts';
import { PoolgateMfa } from './account/mfa-section.ts';
import { PoolgatePasskeys } from './account/passkeys-section.ts';
import { PoolgateProfile } from './account/profile-section.ts';
import { PoolgateSecuritySummary } from './account/security-summary.ts';
import { PoolgateSessions } from './account/sessions-section.ts';
import { defineElements } from './elements/define-elements.ts';

export {
  PoolgateAccount,
  PoolgateApplications,
  PoolgateChangePassword,
  PoolgateDeleteAccount,
  PoolgateDevices,
  PoolgateEvents,
  PoolgateExportData,
  PoolgateIdentities,
  PoolgateMfa,
  PoolgatePasskeys,
  PoolgateProfile,
  PoolgateSecuritySummary,
  PoolgateSessions,
};

/** The account elements by name. */
const ACCOUNT = {
  'poolgate-account': PoolgateAccount,
  'poolgate-security-summary': PoolgateSecuritySummary,
  'poolgate-profile': PoolgateProfile,
  'poolgate-change-password': PoolgateChangePassword,
  'poolgate-mfa': PoolgateMfa,
  'poolgate-passkeys': PoolgatePasskeys,
  'poolgate-identities': PoolgateIdentities,
  'poolgate-devices': PoolgateDevices,
  'poolgate-sessions': PoolgateSessions,
  'poolgate-applications': PoolgateApplications,
  'poolgate-events': PoolgateEvents,
  'poolgate-export-data': PoolgateExportData,
  'poolgate-delete-account': PoolgateDeleteAccount,
} as const;

type AccountMap = { readonly [Name in keyof typeof ACCOUNT]: InstanceType<(typeof ACCOUNT)[Name]> };

declare global {
  interface HTMLElementTagNameMap extends AccountMap {}
}

defineElements(ACCOUNT);
