import fc from 'fast-check';
import type { ModelUser } from '../state.ts';
import { ASKED_FIRST, assertAsked } from '../trigger-checks.ts';
import { act, pick } from './act.ts';
import { fresh, refusedStart } from './logins.ts';

/** The stranger's network. No other act comes from it. */
const ELSEWHERE = { 'x-forwarded-for': '203.0.113.7' };

/** POST /login with a wrong password by a stranger on another network. It counts only there and does not affect the user. */
export const guessFromElsewhere = act({
  weight: 2,
  args: fc.record({ who: fc.nat(1000) }),
  async perform(run, { who }) {
    const user = pick(run.users, who) as ModelUser;
    const progress = fresh(run, user, undefined);
    const body = { username: user.email, password: 'Wrong-Horse1!' };
    const about = `POST /login of ${user.email} from another network, wrong password`;
    if (await refusedStart(run, progress, '/login', body)) return;
    const isLocked = user.strangersGuesses.isLocked(run.nowMs);
    if (!isLocked) {
      user.strangersGuesses.count(run.nowMs, true);
      run.ledger.guessed(`${user.username} from elsewhere`, 'password', run.nowMs);
    }
    const answer = await run.modelled.service.post('/login', body, ELSEWHERE);
    await run.checkAnswer(answer, { kind: 'refused', why: isLocked ? 'locked' : 'credentials' }, progress, about);
    assertAsked(run, user, [ASKED_FIRST], about);
  },
});
