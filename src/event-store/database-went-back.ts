import { OperatorError } from '../errors/operator-error.ts';

/**
 * The database lacks an event that this process has seen committed: it was restored to an earlier
 * moment, or replaced. A retry cannot succeed: the process must end.
 */
export class DatabaseWentBack extends OperatorError {
  /** The missing event, and the database's content in its place; `it` is the database. */
  readonly finding: string;

  constructor(finding: string) {
    super(`the database was restored to an earlier state: ${finding}. ${advice}`);
    this.finding = finding;
  }
}

const advice =
  'This process ends, so that no call is accepted and then lost. Stop all processes and look for a newer ' +
  'backup or more WAL (docs/runbook.md, "Restore"). At its next start the service compares the database with ' +
  'its published and anchored checkpoints, and reports lost events';
