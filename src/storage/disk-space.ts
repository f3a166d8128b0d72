import { stat, statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { OrganisationId } from '../domain/ulid.ts';
import type { Admission, Stop, UploadSpace } from './contract.ts';
import { StorageFull } from './storage-full.ts';

export interface DiskSpaceOptions {
  /** Folder in which uploads are written. */
  readonly storage: string;
  /** Folders of other data on local disks, by their names. */
  readonly others?: Readonly<Record<string, string>>;
  /** Least free bytes of each disk; null: 1 GiB, but at most 5 % of the disk. */
  readonly minFreeBytes: number | null;
  /** Called when the reasons change; empty: uploads are accepted again. */
  readonly onStops?: (stops: readonly Stop[]) => void;
  readonly measure?: (folder: string) => Promise<Space>;
  readonly recheckMs?: number;
  readonly pauseMs?: number;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

/** Space of a disk for this process. */
interface Space {
  readonly freeBytes: number;
  readonly sizeBytes: number;
  /** Number of files that can still be made; null if the disk has no limit. */
  readonly freeFiles: number | null;
  /** Identifies the disk. */
  readonly disk: number;
}

const defaultMinFreeBytes = 2 ** 30;
const defaultShare = 0.05;
const minFreeFiles = 1_000;
const measureMs = 2_000;

/**
 * Free-space mark of the local disks: refuses uploads while there is still space for everything
 * else, such as PostgreSQL, submission marks, certificates and checkpoints. Uploads under way count
 * with the bytes that they still need. Those of one organisation together may need half of the space
 * above the mark, so that slow uploads of one do not refuse those of all others.
 *
 * A quota, a bucket or another process may leave no space although the disk shows some. So after a
 * write that found no space, uploads are refused for `pauseMs`. Then one at a time is tried until
 * one is stored. A slow one is not waited for longer than `pauseMs`.
 */
export class DiskSpace implements UploadSpace {
  readonly #options: DiskSpaceOptions;
  readonly #folders: readonly (readonly [string, string])[];
  readonly #underWay = new Set<UnderWay>();
  readonly #measuring = new Map<string, Promise<Space | null>>();
  #recheck: NodeJS.Timeout | null = null;
  #stops = '[]';
  readonly #now: () => number;
  /** Time of the last write without space; null after a success. */
  #failedAt: number | null = null;
  #trial: { readonly one: UnderWay; readonly startedAt: number } | null = null;

  constructor(options: DiskSpaceOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#folders = Object.entries({ storage: options.storage, ...options.others });
  }

  async check(bytes: number, organisationId: OrganisationId): Promise<void> {
    this.#judge(await this.#look(), bytes, organisationId);
  }

  async admit(bytes: number, organisationId: OrganisationId): Promise<Admission> {
    const looked = await this.#look();
    this.#judge(looked, bytes, organisationId);
    const one = new UnderWay(bytes, organisationId, (error) => this.#end(one, error));
    if (this.#failedAt !== null) this.#trial = { one, startedAt: this.#now() };
    this.#underWay.add(one);
    this.#recheckLater();
    return one;
  }

  stored(): void {
    this.#failedAt = null;
  }

  async stops(): Promise<readonly Stop[]> {
    return this.#stopsOf(await this.#look());
  }

  #judge(looked: Looked, bytes: number, organisationId: OrganisationId): void {
    if (this.#isPaused()) throw new StorageFull('uploads are refused: a write found no space left');
    const underWay = [...this.#underWay];
    const own = leftOf(underWay.filter((one) => one.organisationId === organisationId));
    const needed = leftOf(underWay) + bytes;
    for (const [folder, space] of looked) {
      const grows = space.disk === looked.get('storage')?.disk;
      if (this.#isLow(space, grows ? needed : 0)) {
        throw new StorageFull(`uploads are refused: the disk of ${folder} is nearly full`);
      }
      const aboveMark = space.freeBytes - this.#markOf(space);
      // A single upload may need all of it.
      if (grows && own > 0 && own + bytes > aboveMark / 2) {
        throw new StorageFull(
          `an upload is refused: those of organisation ${organisationId} under way need half of the free space`,
        );
      }
    }
  }

  #isPaused(): boolean {
    if (this.#failedAt === null) return false;
    const { pauseMs = 10_000 } = this.#options;
    const since = Math.max(this.#failedAt, this.#trial?.startedAt ?? -Infinity);
    return this.#now() - since < pauseMs;
  }

  #isLow(space: Space, neededBytes: number, share = 1): boolean {
    const { freeBytes, freeFiles } = space;
    const hasMark = this.#options.minFreeBytes !== 0;
    if (hasMark && freeFiles !== null && freeFiles < minFreeFiles * share) return true;
    return freeBytes - neededBytes < this.#markOf(space) * share;
  }

  #markOf({ sizeBytes }: Space): number {
    const fallback = Math.min(defaultMinFreeBytes, defaultShare * sizeBytes);
    return this.#options.minFreeBytes ?? fallback;
  }

  #end(one: UnderWay, error: unknown): void {
    this.#underWay.delete(one);
    if (this.#trial?.one === one) this.#trial = null;
    const isWriteFailed = error instanceof StorageFull && error !== one.signal.reason;
    if (isWriteFailed) this.#failedAt = this.#now();
  }

  /** Measures all disks, without those that cannot be measured: writing to them fails. */
  async #look(): Promise<Looked> {
    const { onStops } = this.#options;
    const looked = await Promise.all(
      this.#folders.map(async ([name, folder]) => {
        const space = await Promise.race([this.#measure(folder), silence()]);
        return space === null ? [] : [[name, space] as const];
      }),
    );
    const found = new Map(looked.flat());
    const stops = this.#stopsOf(found);
    const text = JSON.stringify(stops);
    if (text !== this.#stops) onStops?.(stops);
    this.#stops = text;
    return found;
  }

  /** Concurrent callers share one measurement, since a dead disk may never answer. */
  #measure(folder: string): Promise<Space | null> {
    const { measure = measureFolder } = this.#options;
    const known = this.#measuring.get(folder);
    if (known !== undefined) return known;
    const measuring = measure(folder)
      .catch(() => null)
      .finally(() => this.#measuring.delete(folder));
    this.#measuring.set(folder, measuring);
    return measuring;
  }

  #stopsOf(looked: Looked): readonly Stop[] {
    const low = [...looked].filter(([, space]) => this.#isLow(space, 0));
    const stops: Stop[] = low.map(([folder]) => ({ folder }));
    return this.#failedAt === null ? stops : [...stops, 'writeFailed'];
  }

  /** Looks again while uploads are under way, since others also take space. */
  #recheckLater(): void {
    this.#recheck ??= setTimeout(async () => {
      const looked = await this.#look();
      this.#recheck = null;
      for (const [folder, space] of looked) {
        if (!this.#isLow(space, 0, 0.5)) continue;
        const full = new StorageFull(`an upload was ended: the disk of ${folder} is nearly full`);
        for (const one of this.#underWay) one.abort(full);
      }
      if (this.#underWay.size > 0) this.#recheckLater();
    }, this.#options.recheckMs ?? 1_000).unref();
  }
}

type Looked = ReadonlyMap<string, Space>;

function leftOf(uploads: readonly UnderWay[]): number {
  return uploads.reduce((sum, { left }) => sum + left, 0);
}

class UnderWay implements Admission {
  readonly organisationId: OrganisationId;
  readonly #aborting = new AbortController();
  readonly #onEnd: (error: unknown) => void;
  /** Bytes that are still to be written. */
  left: number;

  constructor(bytes: number, organisationId: OrganisationId, onEnd: (error: unknown) => void) {
    this.left = bytes;
    this.organisationId = organisationId;
    this.#onEnd = onEnd;
  }

  get signal(): AbortSignal {
    return this.#aborting.signal;
  }

  received(bytes: number): void {
    this.left = Math.max(0, this.left - bytes);
  }

  abort(error: StorageFull): void {
    this.#aborting.abort(error);
  }

  arrived(): void {
    this.left = 0;
  }

  end(error: unknown = null): void {
    this.#onEnd(error);
  }
}

/** Resolves with null after the longest wait for a disk. */
function silence(): Promise<null> {
  return delay(measureMs, null, { ref: false });
}

async function measureFolder(folder: string): Promise<Space> {
  const [{ bavail, blocks, bsize, files, ffree }, { dev }] = await Promise.all([
    statfs(folder),
    stat(folder),
  ]);
  return {
    freeBytes: bavail * bsize,
    sizeBytes: blocks * bsize,
    // Some file systems make room for files as needed, and report none.
    freeFiles: files > 0 ? ffree : null,
    disk: dev,
  };
}
