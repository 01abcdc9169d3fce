import { PoolgateConfirmLink } from './elements/confirm-link.ts';
import { defineElements } from './elements/define-elements.ts';
import './elements/define-registration-proof.ts';
import { PoolgateNotMe } from './elements/not-me.ts';

export { PoolgateConfirmLink, PoolgateNotMe };

/** The elements of emailed links by name. */
const MAIL_LINKS = {
  'poolgate-confirm-link': PoolgateConfirmLink,
  'poolgate-not-me': PoolgateNotMe,
} as const;

type MailLinkMap = { readonly [Name in keyof typeof MAIL_LINKS]: InstanceType<(typeof MAIL_LINKS)[Name]> };

declare global {
  interface HTMLElementTagNameMap extends MailLinkMap {}
}

defineElements(MAIL_LINKS);
