import type { Clock, TriggerInvoker, TriggerTarget } from '@poolgate/pool';
import type { AwsCredentials } from '@poolgate/provider-cognito';
import { isLoopback } from '../config/mode.ts';
import type { Settings } from '../config/settings.ts';
import { type TriggerRoute, triggerEntryOf } from '../config/triggers.ts';
import { isPublicAddress } from '../senders/addresses.ts';
import type { AllowedTargets } from '../senders/signed-post.ts';
import { StartError } from '../start-error.ts';
import { functionTarget, type TriggerFunction } from './function-target.ts';
import { type LambdaSettings, lambdaTargets } from './lambda-target.ts';
import { type ModuleFunctions, moduleFunctions } from './module-functions.ts';
import { urlTarget } from './url-target.ts';

/** Functions that whoever runs the service gives to a start: by ARN, or by the name that POOLGATE_TRIGGER_MAP says. */
export type TriggerFunctions = Readonly<Record<string, TriggerFunction>>;

/** What functions are called with and by. */
export interface TriggerParts {
  readonly settings: Pick<
    Settings,
    'lambdaEndpoint' | 'privateWebhooks' | 'triggerMap' | 'triggerModule' | 'triggerSecret'
  >;
  /** Whether the module is loaded anew when it changes. */
  readonly reloads: boolean;
  readonly clock: Clock;
  readonly functions: TriggerFunctions | undefined;
  readonly awsCredentials: (() => Promise<AwsCredentials>) | undefined;
}

/**
 * Opens what stands for the Lambda functions that the settings of pools name. Only what is mapped here is ever called: else whoever may
 * change a pool could have the service call whatever its role may.
 * @throws {StartError} `setting_refused`: the module cannot be loaded, or a function that is mapped is nowhere
 */
export async function openTriggers(parts: TriggerParts): Promise<TriggerInvoker> {
  const { triggerMap, triggerModule } = parts.settings;
  const loaded = triggerModule === undefined ? undefined : await moduleFunctions(triggerModule, parts.reloads);
  const lambda = lambdaTargets(lambdaSettings(parts));
  const targets = new Map<string, TriggerTarget>();
  for (const [arn, handler] of Object.entries(parts.functions ?? {})) {
    targets.set(
      arn,
      functionTarget(arn, async () => handler),
    );
  }
  for (const text of triggerMap) {
    const entry = triggerEntryOf(text);
    if (entry !== undefined) targets.set(entry.arn, await openTarget(entry, parts, { lambda, loaded }));
  }
  return { targetOf: (arn) => targets.get(arn) };
}

interface Ways {
  readonly lambda: (arn: string) => TriggerTarget;
  readonly loaded: ModuleFunctions | undefined;
}

async function openTarget(
  { arn, route }: { readonly arn: string; readonly route: TriggerRoute },
  { settings, clock, functions }: TriggerParts,
  { lambda, loaded }: Ways,
): Promise<TriggerTarget> {
  switch (route.kind) {
    case 'lambda':
      return lambda(arn);
    case 'url': {
      const secret = settings.triggerSecret ?? '';
      return urlTarget(route.url, { secret, clock, targets: allowedTargets(route.url, settings) });
    }
    case 'function': {
      const given = functions?.[route.name];
      if (given !== undefined) return functionTarget(arn, async () => given);
      if (loaded === undefined) throw notFound(`no module and no function is given for ${route.name}`);
      await loaded.find(route.name).catch((error: Error) => {
        throw notFound(error.message);
      });
      return functionTarget(arn, () => loaded.find(route.name));
    }
  }
}

function notFound(why: string): StartError {
  return new StartError('setting_refused', `POOLGATE_TRIGGER_MAP: ${why}`);
}

function lambdaSettings({ settings, awsCredentials }: TriggerParts): LambdaSettings {
  return {
    ...(settings.lambdaEndpoint === undefined ? {} : { endpoint: settings.lambdaEndpoint }),
    ...(awsCredentials && { credentials: awsCredentials }),
  };
}

/** A name may mean a private address only where the operator says so; an address of this machine says it itself. */
function allowedTargets(url: string, { privateWebhooks }: TriggerParts['settings']): AllowedTargets {
  return { allows: privateWebhooks || isLoopback(new URL(url).hostname) ? () => true : isPublicAddress };
}
