import { defineElements } from './elements/define.ts';
import { PoolgateForgotPassword } from './elements/forgot-password.ts';
import { PoolgateResetPassword } from './elements/reset-password.ts';
import { PoolgateSignIn } from './elements/sign-in.ts';
import { PoolgateSignUp } from './elements/sign-up.ts';
import { PoolgateVerify } from './elements/verify.ts';

export { type SignInFlow, useSignInFlow } from './elements/sign-in.ts';
export { PoolgateForgotPassword, PoolgateResetPassword, PoolgateSignIn, PoolgateSignUp, PoolgateVerify };

/** The elements of sign-in, sign-up and recovery, by their names. */
const FORMS = {
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

defineElements(FORMS);
