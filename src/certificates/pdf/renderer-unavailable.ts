import { Unavailable } from '../../domain/unavailable.ts';

/** No certificate was rendered, but it may be later. */
export class RendererUnavailable extends Unavailable {
  constructor(message: string, options?: ErrorOptions) {
    super('SERVICE_UNAVAILABLE', told, message, options);
    this.name = 'RendererUnavailable';
  }
}

const told = 'the certificate could not be made now; try again shortly';
