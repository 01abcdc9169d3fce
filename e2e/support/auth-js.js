// Its types ask for packages that it works without, so they stand in auth-js.d.ts.
export { Auth } from '@auth/core';
export { default as Cognito } from '@auth/core/providers/cognito';
