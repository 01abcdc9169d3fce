import { defineElements } from './define-elements.ts';
import { PoolgateRegistrationProof } from './registration-proof.ts';

declare global {
  interface HTMLElementTagNameMap {
    readonly 'poolgate-registration-proof': PoolgateRegistrationProof;
  }
}

// Loaded on demand, because most confirmations happen where the person signed up.
defineElements({ 'poolgate-registration-proof': PoolgateRegistrationProof });
