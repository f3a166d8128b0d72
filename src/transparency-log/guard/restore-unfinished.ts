import { OperatorError } from '../../errors/operator-error.ts';

/** `log restored` has begun, but not finished. */
export class RestoreUnfinished extends OperatorError {
  constructor(epoch: number) {
    super(
      `epoch ${epoch} of the log was opened, but the transactions on the ledger were not reconciled: ` +
        'run `ops log restored` again',
    );
  }
}
