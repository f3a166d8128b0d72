import type { Command } from 'commander';
import { queryWorkspaces } from '../../projections/workspaces/query.ts';
import { createWorkspace } from '../../src/commands/create-workspace.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import { loadOrganisation } from '../../src/loading/load-organisation.ts';
import { operation } from '../session/operation.ts';
import { idArgument } from '../terminal/arguments.ts';
import { table } from '../terminal/printable.ts';

export function addWorkspaceCommands(program: Command): void {
  const group = program.command('workspace').description('workspaces of an organisation');

  const create = group
    .command('create')
    .description('create a workspace')
    .requiredOption(
      '--organisation <id>',
      'the organisation that owns the workspace',
      idArgument<OrganisationId>,
    )
    .requiredOption('--name <name>', 'name of the workspace');
  operation<[], { organisation: OrganisationId; name: string }>(
    create,
    async (session, _args, { organisation, name }) => {
      const order = { organisationId: organisation, name };
      const _id = await createWorkspace(session, order, session.meta);
      return { json: { _id, name }, text: `workspace ${_id} is created` };
    },
  );

  const list = group
    .command('list')
    .description('the workspaces of an organisation, oldest first')
    .requiredOption(
      '--organisation <id>',
      'the organisation that owns the workspaces',
      idArgument<OrganisationId>,
    );
  operation<[], { organisation: OrganisationId }>(list, async (session, _args, options) => {
    await session.settle();
    await loadOrganisation(session.store, options.organisation);
    const workspaces = await queryWorkspaces(session.db, options.organisation);
    const rows = workspaces.map(({ _id, name }) => [_id, name]);
    const text =
      rows.length === 0 ? 'the organisation has no workspace yet' : table(['ID', 'NAME'], rows);
    return { json: { workspaces }, text };
  });
}
