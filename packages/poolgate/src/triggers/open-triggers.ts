/**
 * What is called for a Lambda trigger: AWS Lambda, a signed post, or a function in the process.
 */
import type { Clock, TriggerInvoker, TriggerTarget } from '@poolgate/pool';
import type { AwsCredentials } from '@poolgate/provider-cognito';
import { isLoopback } from '../config/mode.ts';
import type { Settings } from '../config/settings.ts';
import { parseTriggerEntry, type TriggerRoute } from '../config/trigger-settings.ts';
import { StartError } from '../process/start-error.ts';
import { isPublicAddress } from '../senders/public-address.ts';
import type { AllowedTargets } from '../senders/signed-post.ts';
import { openFileFunctions } from './file-functions.ts';
import { createFunctionTarget, type TriggerFunction } from './function-target.ts';
import { createLambdaTargets, type LambdaSettings } from './lambda-target.ts';
import { type ModuleFunctions, openModuleFunctions } from './module-functions.ts';
import { createUrlTarget } from './url-target.ts';

/** Functions that whoever runs the service gives to a start: by ARN, or by the name that POOLGATE_TRIGGER_MAP says. */
export type TriggerFunctions = Readonly<Record<string, TriggerFunction>>;

/** What functions are called with and by. */
export interface TriggerParts {
  readonly settings: Pick<
    Settings,
    'lambdaEndpoint' | 'privateWebhooks' | 'triggerMap' | 'triggerModule' | 'triggerSecret'
  >;
  /** Whether modules are loaded again when they change. */
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
  const loaded = triggerModule === undefined ? undefined : await openModuleFunctions(triggerModule, parts.reloads);
  const lambda = createLambdaTargets(toLambdaSettings(parts));
  const targets = new Map<string, TriggerTarget>();
  for (const [arn, handler] of Object.entries(parts.functions ?? {})) {
    targets.set(
      arn,
      createFunctionTarget(arn, async () => handler),
    );
  }
  const files = new Map<string, ModuleFunctions>();
  for (const text of triggerMap) {
    const entry = parseTriggerEntry(text);
    if (entry !== undefined) targets.set(entry.arn, await openTarget(entry, parts, { lambda, loaded, files }));
  }
  return { targetOf: (arn) => targets.get(arn) };
}

interface TargetSources {
  readonly lambda: (arn: string) => TriggerTarget;
  readonly loaded: ModuleFunctions | undefined;
  /** By path: functions of one file share its module. */
  readonly files: Map<string, ModuleFunctions>;
}

async function openTarget(
  { arn, route }: { readonly arn: string; readonly route: TriggerRoute },
  { settings, clock, functions, reloads }: TriggerParts,
  { lambda, loaded, files }: TargetSources,
): Promise<TriggerTarget> {
  switch (route.kind) {
    case 'lambda':
      return lambda(arn);
    case 'url': {
      const secret = settings.triggerSecret ?? '';
      return createUrlTarget(route.url, { secret, clock, targets: toAllowedTargets(route.url, settings) });
    }
    case 'function': {
      const given = functions?.[route.name];
      if (given !== undefined) return createFunctionTarget(arn, async () => given);
      if (loaded === undefined) throw createNotFoundError(`no module and no function is given for ${route.name}`);
      return openModuleTarget(arn, loaded, route.name);
    }
    case 'file': {
      const functionsOfFile = files.get(route.path) ?? openFileFunctions(route.path, reloads);
      files.set(route.path, functionsOfFile);
      return openModuleTarget(arn, functionsOfFile, route.name);
    }
  }
}

/** A function that is missing is reported at the start. */
async function openModuleTarget(arn: string, source: ModuleFunctions, name: string): Promise<TriggerTarget> {
  await source.find(name).catch((error: Error) => {
    throw createNotFoundError(error.message);
  });
  return createFunctionTarget(arn, () => source.find(name));
}

function createNotFoundError(why: string): StartError {
  return new StartError('setting_refused', `POOLGATE_TRIGGER_MAP: ${why}`);
}

function toLambdaSettings({ settings, awsCredentials }: TriggerParts): LambdaSettings {
  return {
    ...(settings.lambdaEndpoint === undefined ? {} : { endpoint: settings.lambdaEndpoint }),
    ...(awsCredentials && { credentials: awsCredentials }),
  };
}

/** A name may mean a private address only where the operator says so; an address of this machine says it itself. */
function toAllowedTargets(url: string, { privateWebhooks }: TriggerParts['settings']): AllowedTargets {
  return { allows: privateWebhooks || isLoopback(new URL(url).hostname) ? () => true : isPublicAddress };
}
