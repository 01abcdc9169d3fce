/**
 * How a sign-in starts. `password`: with username and password. `choice`: with the username, then the pool's choice of factors. `custom`:
 * with the username, then the pool's triggers. `custom-password`: with both, then the triggers.
 */
export type SignInFlow = 'password' | 'choice' | 'custom' | 'custom-password';

/** Whether the first form of a sign-in also asks for the password. */
export const STARTS_WITH_PASSWORD: Readonly<Record<SignInFlow, boolean>> = {
  password: true,
  'custom-password': true,
  choice: false,
  custom: false,
};

let pageFlow: SignInFlow = 'password';

/** Sets the flow of all sign-ins on the page, including those after a sign-up, a new password or a step-up. */
export function useSignInFlow(flow: SignInFlow): void {
  pageFlow = flow;
}

/** With these flows, the code of a sign-up or a reset also signs in. Triggers decide about the other flows themselves. */
export const canCodeSignIn = (): boolean => pageFlow === 'password' || pageFlow === 'choice';

/** The default flow of a sign-in. */
export const getPageFlow = (): SignInFlow => pageFlow;
