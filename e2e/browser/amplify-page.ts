import { Amplify } from 'aws-amplify';
import {
  associateWebAuthnCredential,
  deleteWebAuthnCredential,
  fetchAuthSession,
  getCurrentUser,
  listWebAuthnCredentials,
  signIn,
  signOut,
} from 'aws-amplify/auth';

const amplifyInPage = {
  configure: Amplify.configure.bind(Amplify),
  associateWebAuthnCredential,
  deleteWebAuthnCredential,
  fetchAuthSession,
  getCurrentUser,
  listWebAuthnCredentials,
  signIn,
  signOut,
};

/** What a page of its own would do with Amplify; it is bundled as it is, and the test calls it in the page. */
export type AmplifyInPage = typeof amplifyInPage;

Object.assign(globalThis, { amplifyInPage });
