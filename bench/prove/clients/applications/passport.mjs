// biome-ignore-all lint/correctness/noUndeclaredDependencies: they are installed only for the proof
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import { Strategy } from 'passport-openidconnect';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, APPLICATION, PORT } = process.env;
const provider = await (await fetch(`${ISSUER}/.well-known/openid-configuration`)).json();
passport.use(
  new Strategy(
    {
      issuer: provider.issuer,
      authorizationURL: provider.authorization_endpoint,
      tokenURL: provider.token_endpoint,
      userInfoURL: provider.userinfo_endpoint,
      clientID: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      callbackURL: `${APPLICATION}/callback`,
      scope: ['email', 'profile'],
    },
    (_issuer, profile, done) => done(null, { id: profile.id, email: profile.emails?.[0]?.value }),
  ),
);
passport.serializeUser((user, done) => done(null, JSON.stringify(user)));
passport.deserializeUser((text, done) => done(null, JSON.parse(text)));

const app = express();
app.use(session({ secret: 'a secret of the application', resave: false, saveUninitialized: false }));
app.use(passport.session());
app.get('/sign-in', passport.authenticate('openidconnect'));
app.get(
  '/callback',
  passport.authenticate('openidconnect', { failureMessage: true, failWithError: true }),
  (_, response) => response.redirect('/'),
);
app.get('/sign-out', (request, response, next) =>
  request.logout((error) => {
    if (error) return next(error);
    const query = new URLSearchParams({ client_id: CLIENT_ID, post_logout_redirect_uri: `${APPLICATION}/` });
    return response.redirect(`${provider.end_session_endpoint}?${query}`);
  }),
);
app.get('/', (request, response) => response.json(request.user ?? null));
app.listen(Number(PORT), '127.0.0.1');
