import type { UserSession } from '@poolgate/client';
import type { RenderContext } from '../ui/render-context.ts';

/** The browser and system of a session; undefined if unknown. */
export function nameSession({ browser, system }: UserSession): string | undefined {
  const known = [browser, system].filter((name) => name !== null);
  return known.length === 0 ? undefined : known.join(' · ');
}

/** Where a session probably is, in the user's language. */
function namePlace({ place }: UserSession, language: string): string {
  if (place === null) return '';
  const country = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' }).of(place.country);
  return [place.city, country].filter((name) => name != null).join(', ');
}

/** When and from where a session was used last. */
export function describeSession({ translation }: RenderContext, session: UserSession): string {
  const { refreshed_at: refreshedAt, started_at: startedAt, source_address: address } = session;
  const used =
    refreshedAt === null
      ? translation.text('sessions.started', { date: translation.date(startedAt) })
      : translation.text('devices.lastSeen', { date: translation.date(refreshedAt) });
  return [used, namePlace(session, translation.language), address ?? ''].filter((part) => part !== '').join(' · ');
}
