import { OperatorError } from '../../errors/operator-error.ts';
import { type LogMark, logMarkName } from '../../storage/log-mark.ts';

/** The files were last named by a log that this database does not hold: by a newer one, or another. */
export class LogLacksMark extends OperatorError {
  readonly mark: LogMark;

  constructor(mark: LogMark) {
    super(
      `the file storage belongs to log ${mark.logId} up to position ${mark.position} ` +
        `(event ${mark.eventId}), which this database does not hold: it was restored from an older ` +
        'backup, or STORAGE_URL is that of another service. No file is deleted. Restore the newer ' +
        'database or mend STORAGE_URL; or, once nothing that was uploaded since is needed any more, ' +
        `remove ${logMarkName} from the storage`,
    );
    this.mark = mark;
  }
}
