import { PoolgateForgotPassword } from './forgot-password.ts';
import { PoolgateResetPassword } from './reset-password.ts';
import { PoolgateSignIn } from './sign-in.ts';
import { PoolgateSignUp } from './sign-up.ts';
import { PoolgateVerify } from './verify.ts';

export { PoolgateForgotPassword, PoolgateResetPassword, PoolgateSignIn, PoolgateSignUp, PoolgateVerify };

/** The elements of sign-in, sign-up and recovery by name. */
export const FORM_ELEMENTS = {
  'poolgate-sign-in': PoolgateSignIn,
  'poolgate-sign-up': PoolgateSignUp,
  'poolgate-verify': PoolgateVerify,
  'poolgate-forgot-password': PoolgateForgotPassword,
  'poolgate-reset-password': PoolgateResetPassword,
} as const;

type FormMap = { readonly [Name in keyof typeof FORM_ELEMENTS]: InstanceType<(typeof FORM_ELEMENTS)[Name]> };

declare global {
  interface HTMLElementTagNameMap extends FormMap {}
}
