import { test } from 'tap';
import { changeRole } from '../../src/commands/change-role.ts';
import { parseInvitation } from '../../src/domain/person/invitation-token.ts';
import type { OrganisationId, PersonId } from '../../src/domain/ulid.ts';
import { openTestStore } from '../support/event-store.ts';
import { hostedDatabase } from '../support/hosted-database.ts';
import { jsonOf, ops } from '../support/operator.ts';

test('an operator invites, lists and removes owners', async (t) => {
  const { env, url, masterKey } = await hostedDatabase(t);
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
  const { store } = openTestStore(t, url, { masterKey });
  const whom = {
    organisationId: organisationId as OrganisationId,
    personId: people[0]?.personId as PersonId,
  };
  await changeRole(store, { ...whom, role: 'member' }, { actor: 'console' });
  const invite = ['owner', 'invite', ...of, '--email', 'ada@example.org'];
  t.match((await ops(t, env, ...invite)).stdout, 'is invited again, and stays member');
  t.match(await run('owner', 'list', ...of), { people: [{ role: 'member' }] });
  const promoted = await ops(t, env, ...invite, '--role', 'owner');
  t.match(promoted.stdout, 'ada@example.org was member, and is owner now');
  t.match(await run('owner', 'list', ...of), { people: [{ role: 'owner' }] });
  const again = await ops(t, env, 'owner', 'invite', ...of, '--email', 'ada@example.org');
  t.match(again.stdout, /is invited again, and stays owner/);
  const byAddress = async (email: string, ...role: readonly string[]) =>
    run('owner', 'invite', ...of, '--email', email, ...role);
  const reader = 'reader@example.org';
  t.match(await byAddress(reader, '--role', 'member'), { role: 'member', formerRole: null });
  t.match(await byAddress(reader), { role: 'member', formerRole: 'member' });
  const roleOf = async () => {
    const { people } = (await run('owner', 'list', ...of)) as { people: { email: string }[] };
    return people.find(({ email }) => email === reader);
  };
  t.match(await roleOf(), { role: 'member' }, 'a new invitation alone changes no role');
  t.match(await byAddress(reader, '--role', 'owner'), { role: 'owner', formerRole: 'member' });
  const removed = (await roleOf()) as { personId?: string } | undefined;
  t.match(removed, { role: 'owner' });
  await run('owner', 'remove', ...of, removed?.personId ?? '');
  await run('owner', 'remove', ...of, people[0]?.personId ?? '');
  t.strictSame(await run('owner', 'list', ...of), { people: [] });
  const wrong = await ops(t, env, 'owner', 'invite', ...of, '--email', 'nobody');
  t.match(wrong.stderr, /email: must be an e-mail address/);
});
