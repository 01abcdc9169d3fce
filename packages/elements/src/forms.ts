import { defineElements } from './elements/define-elements.ts';
import { FORM_ELEMENTS } from './elements/form-element-table.ts';

export * from './elements/form-element-table.ts';
export { type SignInFlow, useSignInFlow } from './elements/sign-in-flow.ts';

defineElements(FORM_ELEMENTS);
