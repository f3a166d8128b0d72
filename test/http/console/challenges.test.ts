import { test } from 'tap';
import { makeChallenge, takeChallenge } from '../../../src/http/console/challenges.ts';
import { joinHttpService } from '../../support/http-service.ts';

test('a challenge holds once, for its purpose, and for five minutes', async (t) => {
  const { services } = await joinHttpService();
  let now = new Date();
  const deps = { ...services.events, ...services.sources, now: () => now };
  const challenge = await makeChallenge(deps, 'sign-in');
  t.match(challenge, /^[\w-]{43}$/);
  t.equal(await takeChallenge(deps, 'join x', challenge), false, 'for another purpose');
  const taken = await Promise.all([1, 2, 3].map(() => takeChallenge(deps, 'sign-in', challenge)));
  t.strictSame(taken.sort(), [false, false, true], 'once, also at the same time');
  const late = await makeChallenge(deps, 'sign-in');
  now = new Date(now.getTime() + 300_000);
  t.equal(await takeChallenge(deps, 'sign-in', late), false, 'too late');
});
