import { Gauge, type Registry } from '@prometheus-io/client';

/** Registers whether uploads are refused for lack of space, with the reasons. */
export function uploadMetrics(
  registry: Registry,
  stops: () => Promise<readonly (string | { readonly folder: string })[]>,
): void {
  new Gauge({
    name: 'proofmark_uploads_stopped',
    help: '1 while uploads are refused: the disk of a folder is nearly full, or a write found no space',
    labelNames: ['reason'],
    registers: [registry],
    async collect() {
      const found = await stops();
      this.reset();
      this.set({ reason: 'writeFailed' }, 0);
      for (const stop of found)
        this.set({ reason: typeof stop === 'string' ? stop : stop.folder }, 1);
    },
  });
}
