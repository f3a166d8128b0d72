import type { ProofmarkError } from '../errors.ts';
import type { BatchItem, Decision } from './batch.ts';
import { type FilesToProve, namedFiles, type ReadFile, readFiles } from './files-to-prove.ts';
import { type Anchored, Journal, type JournalStorage, journalFile } from './journal.ts';
import type { FileFacts } from './prove.ts';
import { HashSettlement, type SettleDeps } from './settle-hashes.ts';

/** The result of one file of many. */
export type FileResult =
  | {
      readonly status: 'proven';
      readonly name: string;
      readonly hash: string;
      /** Bytes; 0 if only the hash was given. */
      readonly size: number;
      readonly proof: Anchored;
    }
  | { readonly status: 'failed'; readonly name: string; readonly error: ProofmarkError };

export interface ProveAllOptions {
  /** Id of the workspace; by default the client's, or the only one of the organisation. */
  readonly workspace?: string;
  /**
   * Record with which a later run continues: path of a file (in Node), or a storage. It contains
   * nonces. Without it a later run hashes every file again, and asks the service about it.
   */
  readonly journal?: string | JournalStorage;
  readonly hashScheme?: 'hmac-sha256-nonce-v3' | 'sha256-plain-v1';
  /**
   * Facts to send about a file; by default its name, if it has at most 255 characters. `size` is 0 if only
   * the hash was given.
   */
  readonly describe?: (file: { readonly name: string; readonly size: number }) => FileFacts;
  /** Files in a batch: 1 to 1,000, by default 1,000. */
  readonly batchSize?: number;
  /**
   * Longest time without a further proof, in milliseconds; by default 15 minutes. Then the hashes that
   * are sent fail, and the run ends unless the next one is taken. A service that has answered nothing
   * yet is waited for one minute at most.
   */
  readonly patienceMs?: number;
  /** Called while files are read. */
  readonly onProgress?: (progress: {
    readonly name: string;
    readonly bytes: number;
    readonly totalBytes: number | null;
  }) => void;
  readonly signal?: AbortSignal;
}

interface ProveAllDeps extends Omit<SettleDeps, 'journal' | 'signal' | 'isFirst' | 'isLate'> {
  /** Address of the service; the journal belongs to it. */
  readonly server: string;
}

/**
 * Proves many files in batches, and yields the result of each, in their order. Reads the next files
 * while a batch is under way.
 */
export async function* proveEach(
  files: string | FilesToProve,
  options: ProveAllOptions,
  deps: ProveAllDeps,
): AsyncGenerator<FileResult, void, undefined> {
  const ending = new AbortController();
  const abort = () => ending.abort(options.signal?.reason);
  options.signal?.throwIfAborted();
  options.signal?.addEventListener('abort', abort, { once: true });
  const { signal } = ending;
  try {
    const { journal: kept } = options;
    const storage = typeof kept === 'string' ? await journalFile(kept) : kept;
    const journal = storage ? await Journal.open(storage, deps) : null;
    const named = namedFiles(files, typeof kept === 'string' ? [kept] : []);
    const read = readFiles(named, { journal, signal, onProgress: options.onProgress });
    const size = Math.max(1, Math.min(1_000, options.batchSize ?? 1_000));
    let [isFirst, isLate] = [true, false];
    for await (const some of ahead(groupsOf(read, size))) {
      const items = itemsOf(some, options);
      const of = { ...deps, journal, signal, isFirst, isLate };
      const settlement = new HashSettlement(items, of);
      let decisions: ReadonlyMap<string, Decision>;
      try {
        decisions = await settlement.run();
      } catch (error) {
        if (!signal.aborted) yield* provenOf(some, settlement.decisions);
        throw error;
      }
      [isFirst, isLate] = [false, settlement.isLate];
      for (const file of some) yield resultOf(file, decisions);
    }
  } finally {
    options.signal?.removeEventListener('abort', abort);
    ending.abort();
  }
}

/** One item for each hash: files with equal bytes have one proof. */
function itemsOf(
  files: readonly ReadFile[],
  { hashScheme, describe = describeByName }: ProveAllOptions,
): BatchItem[] {
  const items = new Map<string, BatchItem>();
  for (const file of files) {
    if ('error' in file || items.has(file.hash)) continue;
    const { hash, name, size } = file;
    const facts = describe({ name, size: size ?? 0 });
    const sized = size === null ? {} : { fileSize: size };
    items.set(hash, { ...sized, ...facts, hash, ...(hashScheme && { hashScheme }) });
  }
  return [...items.values()];
}

function describeByName({ name }: { readonly name: string }): FileFacts {
  const base = name.slice(name.lastIndexOf('/') + 1);
  const fileName = [name, base].find((each) => each.length > 0 && each.length <= 255);
  return fileName === undefined ? {} : { fileName };
}

function resultOf(file: ReadFile, decisions: ReadonlyMap<string, Decision>): FileResult {
  if ('error' in file) return { status: 'failed', ...file };
  const decision = decisions.get(file.hash);
  if (decision === undefined) throw new Error('a hash without a decision');
  return 'error' in decision
    ? { status: 'failed', name: file.name, error: decision.error }
    : { status: 'proven', ...file, size: file.size ?? 0, proof: decision.proof };
}

/** Results of the files that were proven before the run failed. */
function* provenOf(files: readonly ReadFile[], decisions: ReadonlyMap<string, Decision>) {
  for (const file of files) {
    const decision = 'hash' in file ? decisions.get(file.hash) : undefined;
    if (decision !== undefined && 'proof' in decision) yield resultOf(file, decisions);
  }
}

async function* groupsOf<Item>(items: AsyncIterable<Item>, size: number): AsyncGenerator<Item[]> {
  let group: Item[] = [];
  for await (const item of items) {
    group.push(item);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** The same items, of which the next one is made while the current one is in use. */
async function* ahead<Item>(items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  let next = items.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = items.next();
      // It is awaited in the next round, if there is one.
      next.catch(() => {});
      yield value;
    }
  } finally {
    next.catch(() => {});
  }
}
