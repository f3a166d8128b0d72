import type { Command } from 'commander';
import { addAuditExportCommand } from './audit-export.ts';
import { addAuditFollowCommand } from './audit-follow.ts';
import { addAuditVerifyCommand } from './audit-verify.ts';

/** Adds `audit …`: export, verification and following of the history. */
export function addAuditCommands(program: Command): void {
  const group = program
    .command('audit')
    .description('export the history for auditors, verify it, and follow it');
  addAuditExportCommand(group);
  addAuditVerifyCommand(group);
  addAuditFollowCommand(group);
}
