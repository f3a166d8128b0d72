import { Transient } from '../../errors/transient.ts';

/** No certificate was rendered, but it may be later. */
export class RendererUnavailable extends Transient {
  constructor(message: string, options?: ErrorOptions) {
    super('SERVICE_UNAVAILABLE', callerMessage, message, options);
  }
}

const callerMessage = 'the certificate could not be made now; try again shortly';
