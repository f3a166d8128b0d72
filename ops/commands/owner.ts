import type { Command } from 'commander';
import { removePerson } from '../../src/commands/change-person.ts';
import { invitePerson } from '../../src/commands/invite-person.ts';
import { loadConfig } from '../../src/config.ts';
import { type Person, presentPeople } from '../../src/domain/person/state.ts';
import type { OrganisationId, PersonId } from '../../src/domain/ulid.ts';
import { consoleSite, invitationLink } from '../../src/http/console/console-site.ts';
import { endSessionsOf } from '../../src/http/console/sessions.ts';
import { loadOrganisation } from '../../src/loading/load-organisation.ts';
import { loadPeople } from '../../src/loading/load-people.ts';
import { operation } from '../session/operation.ts';
import { idArgument } from '../terminal/arguments.ts';
import { table } from '../terminal/printable.ts';

interface Whose {
  readonly organisation: OrganisationId;
}

/** Adds `owner …`: people who use the console of an organisation. */
export function addOwnerCommands(program: Command): void {
  const group = program.command('owner').description('people who use the console');
  const ofOrganisation = (command: Command) =>
    command.requiredOption('--organisation <id>', 'their organisation', idArgument<OrganisationId>);

  const invite = ofOrganisation(group.command('invite'))
    .description('invite an owner, also one who lost the passkey; prints a link')
    .requiredOption('--email <address>', 'e-mail address of the person');
  operation<[], Whose & { email: string }>(invite, async (session, _args, options) => {
    const { organisation: organisationId, email } = options;
    const order = { organisationId, email, role: 'owner' } as const;
    const { invitation, expiresAt } = await invitePerson(session, order, session.meta);
    const link = invitationLink(publicUrl(), invitation);
    const text = `this link holds once, until ${expiresAt}; send it to ${email}:\n${link}`;
    return { json: { link, expiresAt }, text };
  });

  const list = ofOrganisation(group.command('list')).description('the people of an organisation');
  operation<[], Whose>(
    list,
    async ({ store }, _args, { organisation }) => {
      await loadOrganisation(store, organisation);
      const people = presentPeople(await loadPeople(store, organisation));
      return { json: { people: people.map(recordOf) }, text: peopleTable(people) };
    },
    { onlyReads: true },
  );

  const remove = ofOrganisation(group.command('remove'))
    .description('remove a person, also the last owner, and sign it out everywhere')
    .argument('<person>', 'id of the person, from `owner list`', idArgument<PersonId>);
  operation<[PersonId], Whose>(remove, async (session, [personId], { organisation }) => {
    const whom = { organisationId: organisation, personId };
    await removePerson(session.store, { ...whom, mayBeLast: true }, session.meta);
    await endSessionsOf(session, whom);
    return { json: { personId, removed: true }, text: `person ${personId} is removed` };
  });
}

/** Address of the service for links. Without PUBLIC_URL it is the one that the service prints. */
function publicUrl(): string {
  const { publicUrl, host, port } = loadConfig(process.env);
  return consoleSite(publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`).url;
}

function recordOf({ personId, role, email, name, registeredAt }: Person) {
  return { personId, role, email, name, registeredAt };
}

function peopleTable(people: readonly Person[]): string {
  if (people.length === 0) return 'nobody was invited yet';
  const rows = people.map(({ personId, role, email, name, registeredAt }) => [
    personId,
    role,
    registeredAt ?? 'invited',
    email,
    name ?? '',
  ]);
  return table(['ID', 'ROLE', 'REGISTERED', 'E-MAIL', 'NAME'], rows);
}
