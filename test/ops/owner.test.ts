import { test } from 'tap';
import { parseInvitation } from '../../src/domain/person/invitation-token.ts';
import { hostedDatabase } from '../support/hosted-database.ts';
import { jsonOf, ops } from '../support/operator.ts';

test('an operator invites, lists and removes owners', async (t) => {
  const { env } = await hostedDatabase(t);
  const run = async (...args: readonly string[]) =>
    jsonOf(
      t,
      await ops(t, { ...env, PUBLIC_URL: 'https://proofs.example/below' }, ...args, '--json'),
    );
  const create = ['organisation', 'create', '--name', 'A', '--plan', 'professional'];
  const { organisationId } = (await run(...create)) as { organisationId: string };
  const of = ['--organisation', organisationId];
  const { link } = (await run('owner', 'invite', ...of, '--email', 'ada@example.org')) as {
    link: string;
  };
  const [address, invitation = ''] = link.split('#');
  t.equal(address, 'https://proofs.example/below/console/join');
  t.equal(parseInvitation(invitation)?.organisationId, organisationId);
  const { people } = (await run('owner', 'list', ...of)) as { people: { personId: string }[] };
  t.match(people, [{ role: 'owner', email: 'ada@example.org', name: null, registeredAt: null }]);
  const { actions } = (await run('actions', ...of)) as { actions: object[] };
  t.match(actions[0], { action: 'PersonInvited', actor: 'operator', personId: null });
  await run('owner', 'remove', ...of, people[0]?.personId ?? '');
  t.strictSame(await run('owner', 'list', ...of), { people: [] });
  const wrong = await ops(t, env, 'owner', 'invite', ...of, '--email', 'nobody');
  t.match(wrong.stderr, /email: must be an e-mail address/);
});
