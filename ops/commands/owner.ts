import { type Command, Option } from 'commander';
import { invitePerson } from '../../src/commands/invite-person.ts';
import { removePerson } from '../../src/commands/remove-person.ts';
import { loadConfig } from '../../src/config.ts';
import { type Role, roles } from '../../src/domain/person/events.ts';
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
    .description('invite an owner, or again somebody who lost the passkey; prints a link')
    .requiredOption('--email <address>', 'e-mail address of the person')
    .addOption(
      new Option(
        '--role <role>',
        'role of the person, at once (default: the present role; owner for somebody new)',
      ).choices(roles),
    );
  operation<[], Whose & { email: string; role?: Role }>(invite, async (session, _, options) => {
    const { organisation: organisationId, email, role: given } = options;
    const roleOfKnown = given === undefined ? 'stays' : 'changes';
    const order = { organisationId, email, role: given ?? 'owner', roleOfKnown } as const;
    const { invitation, expiresAt, ...of } = await invitePerson(session, order, session.meta);
    const { role, formerRole } = of;
    const link = invitationLink(publicUrl(), invitation);
    const text = `${roleInWords(email, role, formerRole)}
this link holds once, until ${expiresAt}; send it to ${email}:
${link}`;
    return { json: { link, expiresAt, role, formerRole }, text };
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

function roleInWords(email: string, role: Role, formerRole: Role | null): string {
  if (formerRole === null) return `${email} is invited as ${role}`;
  return formerRole === role
    ? `${email} is invited again, and stays ${role}`
    : `${email} was ${formerRole}, and is ${role} now`;
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
