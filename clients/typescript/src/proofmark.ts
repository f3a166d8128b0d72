import { type Answer, Api } from './calls/api.ts';
import {
  type ListInit,
  type ListItem,
  type ListOptions,
  type ListPath,
  pagesOf,
} from './calls/pages.ts';
import { type PatienceOptions, untilDone } from './calls/patience.ts';
import { RateLimits } from './calls/rate-limits.ts';
import { addressOf, baseFor } from './calls/service-address.ts';
import { type Wait, wait } from './calls/wait.ts';
import { bundleOf, certificateOf } from './documents/issued-files.ts';
import { untilStored } from './documents/until-stored.ts';
import {
  type Document,
  documentForm,
  openBlob,
  type UploadFacts,
} from './documents/upload-form.ts';
import { ProofmarkError } from './errors.ts';
import type { FileSource } from './hashing/file-source.ts';
import { type HashOptions, hashOpened } from './hashing/hash-file.ts';
import { openSource } from './hashing/open-source.ts';
import type { ProofmarkOptions } from './proofmark-options.ts';
import type { FilesToProve } from './proving/files-to-prove.ts';
import { type KnownHash, lookUpHashes } from './proving/look-up.ts';
import { type FileFacts, type Proof, type ProofOrder, proveHash } from './proving/prove.ts';
import { type FileResult, type ProveAllOptions, proveEach } from './proving/prove-all.ts';

export type {
  Document,
  FileResult,
  FileSource,
  FilesToProve,
  KnownHash,
  PatienceOptions,
  Proof,
  ProveAllOptions,
};

interface WaitingOptions extends PatienceOptions {
  /** Id of the workspace. */
  readonly workspace?: string;
}

export interface ProveOptions extends WaitingOptions, FileFacts, HashOptions {
  readonly hashScheme?: ProofOrder['hashScheme'];
}

export interface UploadOptions extends WaitingOptions, UploadFacts {}

/** Longest time to wait for a proof, in milliseconds. */
const proofPatienceMs = 900_000;
/** Longest time to wait for what follows a proof: certificate, bundle, signatures. */
const readyPatienceMs = 120_000;

/**
 * A client of a Proofmark service. Methods reject with a ProofmarkError, or with the reason of their
 * `signal`. They wait and repeat as the service advises, so a caller needs no loop of its own.
 */
export class Proofmark {
  /** Every operation of the API, by method and path. */
  readonly api: Api;
  /** Address of the service, without a trailing slash. */
  readonly server: string;
  readonly #limits = new RateLimits();
  readonly #wait: Wait;
  #workspace: string | undefined;

  constructor(options: ProofmarkOptions) {
    const { server, apiKey, workspace, timeoutMs = 90_000 } = options;
    const { maxAttempts = 6, maxWaitMs = 120_000, fetch = globalThis.fetch } = options;
    this.server = addressOf(server);
    this.#workspace = workspace;
    this.#wait = options.wait ?? wait;
    this.api = new Api({
      server: this.server,
      base: baseFor(this.server),
      apiKey,
      // Called without a receiver, as browsers demand of theirs.
      fetch: (request) => fetch(request),
      patience: { maxAttempts, maxWaitMs },
      limits: this.#limits,
      wait: this.#wait,
      timeoutMs,
    });
  }

  /**
   * Proves a file by its SHA-256, and resolves when the proof is on the ledger. The file stays where it
   * is. Its name is sent, unless `fileName` is empty.
   */
  async prove(source: FileSource, options: ProveOptions = {}): Promise<Proof> {
    const opened = await openSource(source);
    const { hash, size } = await hashOpened(opened, options);
    const { fileName = opened.name, mimeType = opened.mimeType } = options;
    return this.proveHash(hash, {
      ...options,
      fileSize: size,
      ...(fileName && { fileName }),
      ...(mimeType && { mimeType }),
    });
  }

  /** Proves the SHA-256 of a file: 64 hexadecimal characters, in upper or lower case. */
  async proveHash(hash: string, options: ProveOptions = {}): Promise<Proof> {
    const { fileName, fileSize, mimeType, metadata, hashScheme } = options;
    const { signal, patienceMs = proofPatienceMs } = options;
    const order = {
      ...{ hash: hash.toLowerCase(), workspace: await this.#workspaceOf(options) },
      ...(fileName && { fileName }),
      ...(fileSize !== undefined && { fileSize }),
      ...(mimeType && { mimeType }),
      ...(metadata && { metadata }),
      ...(hashScheme && { hashScheme }),
    };
    return proveHash(order, { api: this.api, wait: this.#wait, patienceMs, signal });
  }

  /**
   * Proves many files in batches: those of a folder (its path, in Node), or of a list, which may have hashes
   * in place of files. Yields the result of each file, in their order; a file that cannot be read or is
   * refused fails alone. After a crash, run it again with the same `journal`: no file is proven twice.
   */
  async *proveAll(
    files: string | FilesToProve,
    options: ProveAllOptions = {},
  ): AsyncGenerator<FileResult, void, undefined> {
    const workspace = await this.#workspaceOf(options);
    yield* proveEach(files, options, {
      ...{ api: this.api, limits: this.#limits, wait: this.#wait, server: this.server, workspace },
      patienceMs: options.patienceMs ?? proofPatienceMs,
    });
  }

  /** Tells which hashes are proven; one result for each, in their order. */
  async lookUp(
    hashes: readonly string[],
    options: Pick<WaitingOptions, 'workspace' | 'signal'> = {},
  ): Promise<KnownHash[]> {
    return lookUpHashes(this.api, await this.#workspaceOf(options), hashes, options.signal);
  }

  /** Uploads a file, which the service keeps, and resolves when it is proven. */
  async upload(source: FileSource, options: UploadOptions = {}): Promise<Document> {
    const file = await openBlob(source, options.fileName);
    const workspace = await this.#workspaceOf(options);
    const { signal = null } = options;
    const form = documentForm(options, file, { workspace });
    return this.#untilStored(options, true, () => this.api.POST('/documents', { ...form, signal }));
  }

  /**
   * Uploads a revision of a document, and resolves when it is proven. Never uploads it again after a broken
   * connection: look at `GET /documents/{id}/versions` before you do.
   */
  async uploadRevision(
    id: string,
    source: FileSource,
    options: Omit<UploadOptions, 'workspace' | 'description' | 'metadata'> = {},
  ): Promise<Document> {
    const file = await openBlob(source, options.fileName);
    const { signal = null } = options;
    const form = documentForm(options, file, {});
    return this.#untilStored(options, false, () =>
      this.api.POST('/documents/{id}/version', { ...form, params: { path: { id } }, signal }),
    );
  }

  /** The newest certificate of a proof, or the one with this number: a PDF. Waits until it exists. */
  async certificate(
    proofId: string,
    options: PatienceOptions & { readonly number?: number } = {},
  ): Promise<Uint8Array> {
    const { number, signal = null } = options;
    const params = { path: { proofId }, query: { ...(number !== undefined && { number }) } };
    const answer = await this.whenReady(
      () => this.api.GET('/certificates/{proofId}', { params, signal, parseAs: 'arrayBuffer' }),
      options,
    );
    return certificateOf(answer);
  }

  /**
   * The proof bundle, a JSON text, exactly as it was issued. With `share` it lacks the confidential
   * nonce. Waits until it exists.
   */
  async bundle(
    proofId: string,
    options: PatienceOptions & { readonly number?: number; readonly share?: boolean } = {},
  ): Promise<string> {
    const { number, share, signal = null } = options;
    const query = {
      ...(number !== undefined && { number }),
      ...(share !== undefined && { share }),
    };
    const params = { path: { proofId }, query };
    const answer = await this.whenReady(
      () => this.api.GET('/proofs/{proofId}/bundle', { params, signal, parseAs: 'text' }),
      options,
    );
    return bundleOf(answer);
  }

  /**
   * Every item of a list, such as `proofmark.list('/documents', { params: { query: { search } } })`.
   * Pages are requested while you iterate.
   */
  list<Path extends ListPath>(
    path: Path,
    ...init: ListInit<Path>
  ): AsyncGenerator<ListItem<Path>, void, undefined> {
    return pagesOf(this.api, path, init[0] as ListOptions<Path> | undefined);
  }

  /**
   * Repeats a call while its error says that the result comes later, such as the signatures of
   * validators. By default for two minutes; then rejects with the last error.
   */
  async whenReady<Result>(
    call: () => Promise<Result>,
    { patienceMs = readyPatienceMs, signal }: PatienceOptions = {},
  ): Promise<Result> {
    const isRepeated = ({ retry }: ProofmarkError) => retry === 'later';
    return untilDone(call, { patienceMs, signal, wait: this.#wait, isRepeated });
  }

  #untilStored(
    { patienceMs = proofPatienceMs, signal }: PatienceOptions,
    isIdempotent: boolean,
    post: () => Promise<Answer<{ readonly data: unknown }>>,
  ): Promise<Document> {
    const deps = { api: this.api, wait: this.#wait, patienceMs, signal };
    return untilStored(post, { ...deps, isIdempotent });
  }

  async #workspaceOf({ workspace, signal }: WaitingOptions): Promise<string> {
    const chosen = workspace ?? this.#workspace;
    if (chosen !== undefined) return chosen;
    const { body } = await this.api.GET('/workspaces', { signal: signal ?? null });
    const [only, ...others] = body.data;
    if (only === undefined || others.length > 0) {
      const message = `workspace: name one, since the organisation has ${body.data.length}`;
      throw new ProofmarkError('INVALID_OPTION', message);
    }
    this.#workspace = only.id;
    return only.id;
  }
}
