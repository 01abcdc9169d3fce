import { relyingPartyProblem } from '@poolgate/pool';
import type { Configuration } from '../config/configuration.ts';
import { createFault, createOkFinding, createWarning, type Finding } from './findings/finding.ts';

/** Whether pages at `IDP_ORIGINS` and `BASE_URL` can use passkeys of `IDP_RP_ID`. */
export function checkPasskeys({ settings }: Configuration): readonly Finding[] {
  const { allowPasskeys, rpId, origins, baseUrl } = settings;
  if (!allowPasskeys) return [createOkFinding('Passkeys are turned off.')];
  if (rpId === undefined) {
    return [
      createWarning('BASE_URL does not allow passkeys.', 'Set IDP_RP_ID and IDP_ORIGINS, or IDP_ALLOW_PASSKEYS=false.'),
    ];
  }
  if (origins === undefined || baseUrl === undefined) {
    return [createOkFinding('Passkeys work on localhost, at the port that the system picks.')];
  }
  const wrong = relyingPartyProblem({ relyingPartyId: rpId, origins });
  if (wrong !== undefined) {
    return [createFault(`${wrong.value ?? 'IDP_ORIGINS'} ${wrong.problem}.`, 'Correct IDP_ORIGINS or IDP_RP_ID.')];
  }
  const apart = relyingPartyProblem({ relyingPartyId: rpId, origins: [new URL(baseUrl).origin] });
  return apart === undefined
    ? [createOkFinding(`Passkeys of ${rpId} work on ${origins.join(', ')}.`)]
    : [
        createWarning(
          `Passkeys of ${rpId} work on ${origins.join(', ')}, but not on the pages of this service: BASE_URL ${apart.problem}.`,
          'Ignore this if your pages are served elsewhere. Otherwise set BASE_URL to a host at or below IDP_RP_ID.',
        ),
      ];
}
