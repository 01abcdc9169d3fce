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

/** What the page of an application would do with Amplify. It is bundled unchanged, and the test calls it in the page. */
export type AmplifyInPage = typeof amplifyInPage;

Object.assign(globalThis, { amplifyInPage });
