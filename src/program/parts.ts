import type { Logger } from 'pino';

/** The started parts, stopped in reverse order. */
export class Parts {
  readonly #stops: { readonly name: string; readonly stop: () => unknown }[] = [];

  add(name: string, stop: () => unknown): void {
    this.#stops.push({ name, stop });
  }

  async stop(log: Logger): Promise<void> {
    for (let part = this.#stops.pop(); part; part = this.#stops.pop()) {
      try {
        await part.stop();
      } catch (err) {
        log.error({ err, part: part.name }, 'a part of the service failed to stop');
      }
    }
  }
}
