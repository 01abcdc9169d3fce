import { DEFAULT_MESSAGE_LIMITS, type MessageLimits } from '@poolgate/pool';
import type { Configuration } from '../config/configuration.ts';

/** A developer tries the same address again and again. */
const DEVELOPMENT_MESSAGES_PER_SOURCE = 50;

/** The limits of messages. One source causes more of them in development. */
export function readMessageLimits({ mode, settings }: Configuration): Required<MessageLimits> {
  const perSource = mode === 'development' ? DEVELOPMENT_MESSAGES_PER_SOURCE : DEFAULT_MESSAGE_LIMITS.perSourceAndHour;
  return {
    perDay: settings.limitMessages,
    smsPerCountryAndDay: settings.limitCountrySms,
    perSourceAndHour: settings.limitSourceMessages ?? perSource,
  };
}
