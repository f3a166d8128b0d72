import { Command } from 'commander';
import { addAuditCommands } from './commands/audit.ts';
import { addKeyCommands } from './commands/key.ts';
import { addKeyringCommands } from './commands/keyring.ts';
import { addLedgerCommands } from './commands/ledger.ts';
import { addLogCommands } from './commands/log.ts';
import { addOrganisationCommands } from './commands/organisation.ts';
import { addProjectionCommands } from './commands/projection.ts';
import { addVerifyCommand } from './commands/verify.ts';
import { addWorkspaceCommands } from './commands/workspace.ts';

/** Every command of the operator, to be parsed. */
export function operatorProgram(): Command {
  const program = new Command('ops')
    .description('Operates Proofmark: the same configuration as the server, which may be running.')
    .showHelpAfterError('(add --help for what there is)')
    .configureHelp({ showGlobalOptions: true });

  addOrganisationCommands(program);
  addWorkspaceCommands(program);
  addKeyCommands(program);
  addKeyringCommands(program);
  addLedgerCommands(program);
  addProjectionCommands(program);
  addLogCommands(program);
  addAuditCommands(program);
  addVerifyCommand(program);
  return program;
}
