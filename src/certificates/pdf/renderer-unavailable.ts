/** No certificate was rendered, but it may be later. */
export class RendererUnavailable extends Error {
  override readonly name = 'RendererUnavailable';
}
