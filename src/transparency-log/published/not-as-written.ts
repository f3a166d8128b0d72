import { OperatorError } from '../../errors/operator-error.ts';

/**
 * A file of the log under STORAGE_URL does not have the format that this service writes. The
 * message names the file and tells the operator what to do.
 */
export class NotAsWritten extends OperatorError {
  constructor(file: string, what: string, advice: string) {
    super(`${file} under STORAGE_URL is not a valid ${what} of this service: ${advice}`);
  }
}
