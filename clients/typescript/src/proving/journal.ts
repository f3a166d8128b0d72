import type { FileHandle } from 'node:fs/promises';
import { ProofmarkError } from '../errors.ts';
import { nodeModule } from '../files/node.ts';

/** A text that only grows, kept where a later run finds it: a file, or a store of a browser. */
export interface JournalStorage {
  /** Everything that was appended; empty at first. */
  read(): Promise<string>;
  /** Resolves when the text survives a crash. A crash may leave a part of it. */
  append(text: string): Promise<void>;
}

/** A storage whose text may be longer than a string can be. */
interface LineStorage extends Pick<JournalStorage, 'append'> {
  /** The lines so far, each with its line break; only the last one may lack it. */
  lines(): AsyncIterable<string>;
}

/** The anchoring of a hash, as a journal keeps it. */
export interface Anchored {
  readonly proofId: string;
  readonly txHash: string;
  /** Close time of the ledger, ISO 8601. */
  readonly timestamp: string;
  /** Confidential. Null under the plain scheme, and if an earlier answer had it. */
  readonly proofNonce: string | null;
}

interface KnownFile {
  /** Changes when the file does. */
  readonly state: string;
  readonly hash: string;
  readonly size: number;
}

type Line =
  | { readonly file: string; readonly state: string; readonly hash: string; readonly size: number }
  | { readonly sent: readonly string[] }
  | { readonly proven: string; readonly proof: Anchored };

interface Header {
  readonly format: 'proofmark/journal';
  readonly version: 1;
  readonly server: string;
  readonly workspace: string;
}

/** The record of a run over many files, with which a later run continues. */
export class Journal {
  readonly #storage: Pick<JournalStorage, 'append'>;
  readonly #files = new Map<string, KnownFile>();
  readonly #proofs = new Map<string, Anchored>();
  readonly #sent = new Set<string>();
  readonly #unwritten: Line[] = [];

  private constructor(storage: Pick<JournalStorage, 'append'>) {
    this.#storage = storage;
  }

  /** Opens a journal. Rejects with JOURNAL_NOT_USABLE if the text is of something else. */
  static async open(
    storage: JournalStorage | LineStorage,
    { server, workspace }: Pick<Header, 'server' | 'workspace'>,
  ): Promise<Journal> {
    const header: Header = { format: 'proofmark/journal', version: 1, server, workspace };
    const journal = new Journal(storage);
    let [first, last]: [string | null, string] = [null, ''];
    let found: Header | null = null;
    for await (const line of 'read' in storage ? linesOf(await storage.read()) : storage.lines()) {
      if (first === null && !isBegun(line)) throw notUsable('it is no journal');
      const value = parse(line);
      if (found === null && value !== null && 'format' in value) found = value as Header;
      if (first !== null) journal.#note(value as Line | null);
      first ??= line;
      last = line;
    }
    if (first === null || !first.endsWith('\n')) {
      // Empty, or cut off in its first line.
      await storage.append(`${first === null ? '' : '\n'}${JSON.stringify(header)}\n`);
      return journal;
    }
    checkHeader(found, header);
    // The rest of a line that was cut off is no part of the next one.
    if (!last.endsWith('\n')) await storage.append('\n');
    return journal;
  }

  /** Hash and size of a file that was read in this state; null for another state. */
  file(name: string, state: string): KnownFile | null {
    const known = this.#files.get(name);
    return known?.state === state ? known : null;
  }

  proof(hash: string): Anchored | null {
    return this.#proofs.get(hash) ?? null;
  }

  /** True if the hash was sent and no result is on record, as after a crash. */
  isOpen(hash: string): boolean {
    return this.#sent.has(hash);
  }

  /** Small files are written with the next line, or some dozens together. */
  async recordFile(file: string, { state, hash, size }: KnownFile): Promise<void> {
    this.#unwritten.push({ file, state, hash, size });
    if (size >= largeBytes || this.#unwritten.length >= filesTogether) await this.#append([]);
  }

  recordSent(hashes: readonly string[]): Promise<void> {
    return this.#append([{ sent: hashes }]);
  }

  recordProofs(proofs: ReadonlyMap<string, Anchored>): Promise<void> {
    return this.#append(Array.from(proofs, ([proven, proof]) => ({ proven, proof })));
  }

  async #append(added: readonly Line[]): Promise<void> {
    const lines = [...this.#unwritten.splice(0), ...added];
    if (lines.length === 0) return;
    await this.#storage.append(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    for (const line of lines) this.#note(line);
  }

  #note(line: Line | null): void {
    if (line === null || !isLine(line)) return;
    if ('file' in line) {
      const { file, state, hash, size } = line;
      this.#files.set(file, { state, hash, size });
    } else if ('sent' in line) {
      for (const hash of line.sent) this.#sent.add(hash);
    } else if ('proven' in line) {
      this.#proofs.set(line.proven, line.proof);
      this.#sent.delete(line.proven);
    }
  }
}

const largeBytes = 16_777_216;
const filesTogether = 64;
const begin = '{"format":"proofmark/journal"';

function* linesOf(text: string): Generator<string> {
  for (const [line] of text.matchAll(/[^\n]+\n?|\n/g)) yield line;
}

/** True for the first line of a journal, and for a part of it. */
function isBegun(line: string): boolean {
  return begin.startsWith(line.replace(/\n$/, '').slice(0, begin.length));
}

/** The value of a line; null for one that a crash has cut off. */
function parse(line: string): object | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** False for a line that this client does not write: what it says is asked from the service again. */
function isLine(line: Partial<Record<string, unknown>>): boolean {
  const { file, state, hash, size, sent, proven, proof } = line;
  if (file !== undefined) {
    return [file, state].every((one) => typeof one === 'string') && isHash(hash) && isSize(size);
  }
  if (sent !== undefined) return Array.isArray(sent) && sent.every(isHash);
  if (!isHash(proven) || typeof proof !== 'object' || proof === null) return false;
  const { proofId, txHash, timestamp, proofNonce } = proof as Partial<Anchored>;
  const texts = [proofId, txHash, timestamp, proofNonce ?? ''];
  return texts.every((one) => typeof one === 'string');
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

function isSize(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function checkHeader(found: Header | null, { version, server, workspace }: Header): void {
  if (found === null) throw notUsable('it is no journal');
  if (found.version !== version) throw notUsable('a later version of the client has written it');
  if (found.server !== server || found.workspace !== workspace) {
    throw notUsable(`it belongs to ${found.server}, workspace ${found.workspace}`);
  }
}

function notUsable(why: string, cause?: unknown): ProofmarkError {
  const message = `the journal cannot be used: ${why}`;
  return new ProofmarkError('JOURNAL_NOT_USABLE', message, { cause });
}

/**
 * A journal in a file that only its owner may read: it contains nonces. Writes through no symbolic link, which
 * somebody else may have placed. In Node.
 */
export async function journalFile(path: string): Promise<LineStorage> {
  const { constants, open } = await nodeModule('node:fs/promises');
  const { createReadStream } = await nodeModule('node:fs');
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants;
  return {
    async *lines() {
      let rest = '';
      try {
        for await (const chunk of createReadStream(path, { encoding: 'utf8' })) {
          const parts = `${rest}${chunk}`.split('\n');
          rest = parts.pop() ?? '';
          for (const part of parts) yield `${part}\n`;
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
        throw notUsable(`${path} cannot be read`, error);
      }
      if (rest !== '') yield rest;
    },
    async append(text) {
      try {
        await appendTo(
          await open(path, O_APPEND | O_CREAT | O_WRONLY | (O_NOFOLLOW ?? 0), 0o600),
          text,
        );
      } catch (error) {
        throw notUsable(`${path} cannot be written`, error);
      }
    },
  };
}

async function appendTo(file: FileHandle, text: string): Promise<void> {
  try {
    await file.appendFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
}
