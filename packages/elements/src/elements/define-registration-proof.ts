import { defineElements } from './define-elements.ts';
import { PoolgateRegistrationProof } from './registration-proof.ts';

declare global {
  interface HTMLElementTagNameMap {
    readonly 'poolgate-registration-proof': PoolgateRegistrationProof;
  }
}

// Loaded when a page needs it: most confirmations happen where the person signed up.
defineElements({ 'poolgate-registration-proof': PoolgateRegistrationProof });
