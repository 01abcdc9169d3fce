import { PoolgateForgotPassword } from './forgot-password.ts';
import { PoolgateResetPassword } from './reset-password.ts';
import { PoolgateSignIn } from './sign-in.ts';
import { PoolgateSignUp } from './sign-up.ts';
import { PoolgateVerify } from './verify.ts';

/** The elements of sign-in, sign-up and recovery, by their names. */
export const FORMS = {
  'poolgate-sign-in': PoolgateSignIn,
  'poolgate-sign-up': PoolgateSignUp,
  'poolgate-verify': PoolgateVerify,
  'poolgate-forgot-password': PoolgateForgotPassword,
  'poolgate-reset-password': PoolgateResetPassword,
} as const;

type FormMap = { readonly [Name in keyof typeof FORMS]: InstanceType<(typeof FORMS)[Name]> };

declare global {
  interface HTMLElementTagNameMap extends FormMap {}
}
