import { Command } from 'commander';
import { addCertificate } from './certificate.ts';
import { addProve } from './prove.ts';
import { addRuns } from './runs.ts';
import { addStatus } from './status.ts';
import { addVerify } from './verify.ts';

/** Commands and options of `proofmark`. `signal` ends the work of a command. */
export function commandLine(version: string, signal: AbortSignal): Command {
  const program = new Command('proofmark')
    .description('Prove files, and verify proofs, with a Proofmark service.')
    .version(version)
    .addHelpText('after', '\nExit codes: 0 done, 1 not proven, 2 wrong use, 3 service, 4 not yet.')
    .exitOverride();
  for (const add of [addProve, addVerify, addStatus, addCertificate, addRuns]) add(program, signal);
  for (const command of program.commands) command.exitOverride();
  return program;
}
