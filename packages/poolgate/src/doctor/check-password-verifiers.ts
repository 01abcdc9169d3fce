import type { Configuration } from '../config/configuration.ts';
import { createOkFinding, type Finding } from './findings/finding.ts';

const ON =
  'Clients may set a password without sending it (IDP_VERIFIER_PASSWORDS), so the service cannot check it against the password policy. A user who bypasses the policy that way weakens only their own account. Set it to false if the pool must enforce its policy.';

/** The consequences for the password policy if clients may set verifiers. */
export function checkPasswordVerifiers({
  settings: { provider, verifierPasswords },
}: Configuration): readonly Finding[] {
  if (provider === 'cognito') return [];
  return [
    createOkFinding(verifierPasswords ? ON : 'The service checks every new password against the password policy.'),
  ];
}
