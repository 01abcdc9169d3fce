import { defineElements } from './elements/define-elements.ts';
import { FORM_ELEMENTS } from './elements/form-element-table.ts';

export { PoolgateForgotPassword } from './elements/forgot-password.ts';
export { PoolgateResetPassword } from './elements/reset-password.ts';
export { PoolgateSignIn } from './elements/sign-in.ts';
export { type SignInFlow, useSignInFlow } from './elements/sign-in-flow.ts';
export { PoolgateSignUp } from './elements/sign-up.ts';
export { PoolgateVerify } from './elements/verify.ts';

defineElements(FORM_ELEMENTS);
