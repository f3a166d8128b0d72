import { Command } from 'commander';
import { addKeyCommands } from './commands/key.ts';
import { addLedgerCommands } from './commands/ledger.ts';
import { addLogCommands } from './commands/log.ts';
import { addOrganisationCommands } from './commands/organisation.ts';
import { addProjectionCommands } from './commands/projection.ts';
import { addVerifyCommand } from './commands/verify.ts';
import { addWorkspaceCommands } from './commands/workspace.ts';
import { errorMessage } from './error-message.ts';
import { printableLines } from './printable.ts';

const program = new Command('ops')
  .description('Operates Proofmark: the same configuration as the server, which may be running.')
  .showHelpAfterError('(add --help for what there is)')
  .configureHelp({ showGlobalOptions: true });

addOrganisationCommands(program);
addWorkspaceCommands(program);
addKeyCommands(program);
addLedgerCommands(program);
addProjectionCommands(program);
addLogCommands(program);
addVerifyCommand(program);

// Who reads the output may stop before its end, as `| head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exitCode = 1;
});

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`error: ${printableLines(errorMessage(error))}\n`);
  process.exitCode = 1;
}
