/** The targets of Lambda triggers: AWS Lambda, a signed post, or a function in the process. */
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
import { HANDLER_NAME } from './stack-functions.ts';
import { createUrlTarget } from './url-target.ts';

/** Functions that the operator passes to a start: by ARN, or by the name in POOLGATE_TRIGGER_MAP. */
export type TriggerFunctions = Readonly<Record<string, TriggerFunction>>;

/** The dependencies of triggers. */
export interface TriggerParts {
  readonly settings: Pick<
    Settings,
    'lambdaEndpoint' | 'privateWebhooks' | 'triggerMap' | 'triggerModule' | 'triggerSecret'
  >;
  /** Whether modules are loaded again when they change. */
  readonly reloads: boolean;
  readonly clock: Clock;
  readonly functions: TriggerFunctions | undefined;
  /** Files that replace functions of applied stacks, by ARN. In production there are none. */
  readonly stackFunctions?: ReadonlyMap<string, string>;
  readonly awsCredentials: (() => Promise<AwsCredentials>) | undefined;
}

/**
 * Opens the targets of the Lambda functions that pool settings name. Only mapped functions are ever called. Otherwise anyone who may change
 * a pool could have the service call every function that its role allows.
 * @throws {StartError} `setting_refused`: the module cannot be loaded, or a mapped function is missing
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
  for (const [arn, path] of parts.stackFunctions ?? []) {
    const file = openFileFunctions(path, parts.reloads);
    targets.set(
      arn,
      createFunctionTarget(arn, () => file.find(HANDLER_NAME)),
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
      if (loaded === undefined) throw createNotFoundError(`no module or function is configured for ${route.name}`);
      return openModuleTarget(arn, loaded, route.name);
    }
    case 'file': {
      const functionsOfFile = files.get(route.path) ?? openFileFunctions(route.path, reloads);
      files.set(route.path, functionsOfFile);
      return openModuleTarget(arn, functionsOfFile, route.name);
    }
  }
}

/** A missing function is reported at the start. */
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

/** A name may resolve to a private address only if the operator allows it. An address of this machine is explicit. */
function toAllowedTargets(url: string, { privateWebhooks }: TriggerParts['settings']): AllowedTargets {
  return { allows: privateWebhooks || isLoopback(new URL(url).hostname) ? () => true : isPublicAddress };
}
