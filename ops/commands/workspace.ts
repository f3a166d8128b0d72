import type { Command } from 'commander';
import { listWorkspaces } from '../../projections/workspaces/query.ts';
import { createWorkspace } from '../../src/commands/create-workspace.ts';
import { loadOrganisation } from '../../src/commands/decide-on-organisation.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import { id } from '../arguments.ts';
import { operation } from '../operation.ts';
import { table } from '../printable.ts';

/** Adds `workspace …`. */
export function addWorkspaceCommands(program: Command): void {
  const group = program.command('workspace').description('workspaces of an organisation');

  const create = group
    .command('create')
    .description('create a workspace')
    .requiredOption('--organisation <id>', 'whose it is', id<OrganisationId>)
    .requiredOption('--name <name>', 'its name');
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
    .requiredOption('--organisation <id>', 'whose they are', id<OrganisationId>);
  operation<[], { organisation: OrganisationId }>(list, async (session, _args, options) => {
    await session.settle();
    await loadOrganisation(session.store, options.organisation);
    const workspaces = await listWorkspaces(session.db, options.organisation);
    const rows = workspaces.map(({ _id, name }) => [_id, name]);
    const text = rows.length === 0 ? 'it has no workspace yet' : table(['ID', 'NAME'], rows);
    return { json: { workspaces }, text };
  });
}
