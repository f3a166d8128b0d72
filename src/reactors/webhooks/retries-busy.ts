import { Unavailable } from '../../errors/unavailable.ts';

/** Sending all failed deliveries again takes too long. None of them is sent again by this call. */
export class RetriesBusy extends Unavailable {
  constructor(message: string) {
    super(
      'SERVICE_UNAVAILABLE',
      'the service is busy with sending deliveries again, and sent none by this call; try again shortly',
      `deliveries were not sent again: ${message}; the caller can repeat the call`,
    );
  }
}
