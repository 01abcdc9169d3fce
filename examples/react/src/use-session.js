import { useEffect, useState } from 'react';
import { client } from './client.js';

/** The session as the service shows it, asked again after each login and logout; undefined until it is known, an error where it cannot be. */
export function useSession() {
  const [session, setSession] = useState();
  useEffect(() => {
    let isShown = true;
    const show = (answer) => isShown && setSession(answer);
    const ask = () => void client.session().then(show, show);
    ask();
    const stop = client.onChange(ask);
    return () => {
      isShown = false;
      stop();
    };
  }, []);
  return session;
}
