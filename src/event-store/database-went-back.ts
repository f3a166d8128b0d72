import { OperatorError } from '../errors/operator-error.ts';

/**
 * The database lacks an event that this process has seen committed: it was restored to an earlier
 * moment, or replaced. Trying again is of no use: the process has to end.
 */
export class DatabaseWentBack extends OperatorError {
  /** The event that was seen, and what the database has in its place. */
  readonly finding: string;

  constructor(finding: string) {
    super(`the database went back: ${finding}. ${advice}`);
    this.finding = finding;
  }
}

const advice =
  'This process ends, so that no call is accepted and then lost. Stop all processes and look for a newer ' +
  'backup or more WAL (ops/runbook.md, "Restore"). At its next start the service compares the database with ' +
  'its published and anchored checkpoints, and reports lost events';
