import type { Command } from 'commander';
import { addAuditExportCommand } from './audit-export.ts';
import { addAuditVerifyCommand } from './audit-verify.ts';

/** Adds `audit …`: export and verification of the history. */
export function addAuditCommands(program: Command): void {
  const group = program
    .command('audit')
    .description('export the history for auditors, and verify it');
  addAuditExportCommand(group);
  addAuditVerifyCommand(group);
}
