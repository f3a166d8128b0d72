import { Transient } from '../../errors/transient.ts';

/** A tile that was published is not in the storage. */
export class LogUnreadable extends Transient {
  constructor(tile: string) {
    super(
      'SERVICE_UNAVAILABLE',
      'the service cannot read the tree of its log; try again shortly',
      `a published tile is missing: ${tile}`,
    );
  }
}
