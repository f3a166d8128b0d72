import { OperatorError } from '../../errors/operator-error.ts';

type EmbeddedPostgresErrorCode =
  | 'BINARIES_MISSING'
  | 'BINARIES_INCOMPLETE'
  | 'NO_UNPRIVILEGED_USER'
  | 'FOLDER_UNREACHABLE'
  | 'FOLDER_NOT_OURS'
  | 'CONNECTION_FILE_UNUSABLE'
  | 'DATA_MISSING'
  | 'OTHER_MAJOR_VERSION'
  | 'INITDB_FAILED'
  | 'START_FAILED'
  | 'START_TIMED_OUT'
  | 'STOP_FAILED';

/**
 * The embedded PostgreSQL cannot be used. The message is one line with the operator's next action.
 */
export class EmbeddedPostgresError extends OperatorError {
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string, options?: ErrorOptions) {
    super(message.replaceAll(/\s*\n\s*/g, ' ').trim(), options);
    this.code = code;
  }
}

/** True if PostgreSQL goes on running, so that the operator must be told although a signal ended the start. */
export function leavesPostgresRunning(error: unknown): boolean {
  return error instanceof EmbeddedPostgresError && error.code === 'STOP_FAILED';
}
