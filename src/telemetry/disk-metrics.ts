import { statfs } from 'node:fs/promises';
import { Gauge, type Registry } from '@prometheus-io/client';
import { keepFigures } from './figures.ts';

const keptMs = 10_000;
const waitMs = 1_000;

/** Registers size and free space of these folders' disks. Unreachable folders have no figures. */
export function diskMetrics(registry: Registry, folders: Readonly<Record<string, string>>): void {
  const figures = Object.entries(folders).map(([use, path]) => ({
    use,
    figure: keepFigures(() => statfs(path), { keptMs, waitMs }),
  }));
  const gauge = (name: string, help: string, field: 'bavail' | 'blocks') =>
    new Gauge({
      name,
      help,
      labelNames: ['folder'],
      registers: [registry],
      async collect() {
        this.reset();
        for (const { use, figure } of figures) {
          const found = await figure();
          if (found !== null) this.set({ folder: use }, found[field] * found.bsize);
        }
      },
    });
  gauge(
    'proofmark_disk_free_bytes',
    'Free bytes for this process on the disk of the folder',
    'bavail',
  );
  gauge('proofmark_disk_size_bytes', 'Size of the disk of the folder', 'blocks');
}
