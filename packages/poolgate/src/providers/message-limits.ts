import { DEFAULT_MESSAGE_LIMITS, type MessageLimits } from '@poolgate/pool';
import type { Configuration } from '../config/configuration.ts';

/** Developers try the same address again and again. */
const DEVELOPMENT_MESSAGES_PER_SOURCE = 50;

/** Returns the limits of messages. Development allows more messages for each source. */
export function readMessageLimits({ mode, settings }: Configuration): Required<MessageLimits> {
  const perSource = mode === 'development' ? DEVELOPMENT_MESSAGES_PER_SOURCE : DEFAULT_MESSAGE_LIMITS.perSourceAndHour;
  return {
    perDay: settings.limitMessages,
    smsPerCountryAndDay: settings.limitCountrySms,
    perSourceAndHour: settings.limitSourceMessages ?? perSource,
  };
}
