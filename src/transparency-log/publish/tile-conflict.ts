import { OperatorError } from '../../errors/operator-error.ts';

/** A full tile is there with other bytes: another history was published than the one to be written. */
export class TileConflict extends OperatorError {
  constructor(path: string) {
    super(
      `${path} under STORAGE_URL holds another history than the database: nothing is published. ` +
        'Was the database restored from a backup? `ops log restored` takes it up as a new epoch',
    );
  }
}
