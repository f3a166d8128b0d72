import { open, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { createLatencies, type LatencySummary } from './latencies.ts';

/** What durable writes cost on the disk under a benchmark: the floor of every commit. */
export interface Disk {
  /** `f_type` of statfs(2), in hex: ef53 is ext4, 1021994 is tmpfs, which keeps nothing. */
  readonly fileSystem: string;
  /** 8 KiB appended and fdatasync, one after the other. */
  readonly syncedWriteMs: LatencySummary;
}

const writes = 200;

export async function describeDisk(folder: string): Promise<Disk> {
  const latencies = createLatencies();
  const block = Buffer.alloc(8_192, 1);
  const file = await open(join(folder, 'synced-writes'), 'w');
  try {
    for (let count = 0; count < writes; count += 1) {
      const startedAt = performance.now();
      await file.write(block);
      await file.datasync();
      latencies.record(performance.now() - startedAt);
    }
  } finally {
    await file.close();
  }
  const { type } = await statfs(folder);
  return { fileSystem: type.toString(16), syncedWriteMs: latencies.summary() };
}
