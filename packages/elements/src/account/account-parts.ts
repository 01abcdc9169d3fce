import { html, type TemplateResult } from 'lit';
import type { MessageId } from '../translations/languages.ts';

/** A section of the account. */
export interface AccountPart {
  /** The id of the section in the page, for links to it. */
  readonly name: string;
  readonly title: MessageId;
  readonly element: () => TemplateResult;
}

/** The account sections in their order. */
export const ACCOUNT_PARTS: readonly AccountPart[] = [
  {
    name: 'security',
    title: 'security.title',
    element: () => html`<poolgate-security-summary></poolgate-security-summary>`,
  },
  { name: 'profile', title: 'profile.title', element: () => html`<poolgate-profile></poolgate-profile>` },
  {
    name: 'password',
    title: 'changePassword.title',
    element: () => html`<poolgate-change-password></poolgate-change-password>`,
  },
  { name: 'authenticator', title: 'mfa.title', element: () => html`<poolgate-mfa></poolgate-mfa>` },
  { name: 'passkeys', title: 'passkeys.title', element: () => html`<poolgate-passkeys></poolgate-passkeys>` },
  {
    name: 'identities',
    title: 'identities.title',
    element: () => html`<poolgate-identities></poolgate-identities>`,
  },
  { name: 'devices', title: 'devices.title', element: () => html`<poolgate-devices></poolgate-devices>` },
  {
    name: 'applications',
    title: 'applications.title',
    element: () => html`<poolgate-applications></poolgate-applications>`,
  },
  { name: 'events', title: 'events.title', element: () => html`<poolgate-events></poolgate-events>` },
  { name: 'export', title: 'export.title', element: () => html`<poolgate-export-data></poolgate-export-data>` },
  { name: 'delete', title: 'delete.title', element: () => html`<poolgate-delete-account></poolgate-delete-account>` },
];
