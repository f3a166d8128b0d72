import { OperatorError } from '../../errors/operator-error.ts';

/**
 * A file of the log under STORAGE_URL is not as this service writes it. The message names it, and says all
 * that the operator needs.
 */
export class NotAsWritten extends OperatorError {
  constructor(file: string, what: string, advice: string) {
    super(`${file} under STORAGE_URL is no ${what} as this service writes it: ${advice}`);
  }
}
