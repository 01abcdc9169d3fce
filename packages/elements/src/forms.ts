import { defineElements } from './elements/define.ts';
import { FORMS } from './elements/forms.ts';

export { PoolgateForgotPassword } from './elements/forgot-password.ts';
export { PoolgateResetPassword } from './elements/reset-password.ts';
export { PoolgateSignIn } from './elements/sign-in.ts';
export { type SignInFlow, useSignInFlow } from './elements/sign-in-flow.ts';
export { PoolgateSignUp } from './elements/sign-up.ts';
export { PoolgateVerify } from './elements/verify.ts';

defineElements(FORMS);
