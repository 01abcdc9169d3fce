import { defineElements } from './define-elements.ts';
import { PoolgateForgotPassword } from './forgot-password.ts';
import { PoolgateResetPassword } from './reset-password.ts';
import { PoolgateVerify } from './verify.ts';

// Loaded when a sign-in needs them: most sign-ins have neither an unconfirmed account nor a forgotten password.
defineElements({
  'poolgate-verify': PoolgateVerify,
  'poolgate-forgot-password': PoolgateForgotPassword,
  'poolgate-reset-password': PoolgateResetPassword,
});
