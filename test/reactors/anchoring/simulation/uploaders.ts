import { createHash } from 'node:crypto';
import type { DocumentOrder } from '../../../../src/commands/store-document.ts';
import { blobKey } from '../../../../src/domain/blob/blob-key.ts';
import type { Digest } from '../../../../src/domain/proof/digest.ts';
import type { DocumentId } from '../../../../src/domain/ulid.ts';
import type { ApiProcess, Tenant, UploadAnswer } from './api-process.ts';
import type { UploadPost } from './faults.ts';
import type { World } from './world.ts';

/** Callers that upload files and revisions, and compare every answer with the log. */
export class Uploaders {
  readonly violations: string[] = [];
  readonly answers = new Map<string, number>();
  readonly #world: World;
  readonly #tenant: Tenant;
  readonly #api: () => ApiProcess;
  /** Root ids of the documents known to callers. */
  readonly #roots = new Map<number, DocumentId>();
  #waiting = 0;

  constructor(world: World, tenant: Tenant, api: () => ApiProcess) {
    this.#world = world;
    this.#tenant = tenant;
    this.#api = api;
  }

  get waiting(): number {
    return this.#waiting;
  }

  plan(upload: UploadPost): void {
    this.#waiting += 1;
    this.#world.time.at(upload.atMs - this.#world.time.nowMs, () => {
      this.#upload(upload).finally(() => {
        this.#waiting -= 1;
      });
    });
  }

  async #upload({ document, file, again, pauseMs }: UploadPost): Promise<void> {
    for (let left = again; ; left -= 1) {
      const root = this.#roots.get(document) ?? null;
      const order = this.#orderOf(file);
      const answer = await this.#api().upload(order, root);
      const word = answer === null ? 'no answer' : answer.code;
      this.answers.set(word, (this.answers.get(word) ?? 0) + 1);
      this.#check(order, answer);
      if (answer?.stored) {
        if (root === null) this.#roots.set(document, answer.stored.rootDocumentId);
        return;
      }
      // All of the document was given up, so the next upload begins anew.
      if (answer?.code === 'PROOF_NOT_FOUND') this.#roots.delete(document);
      if (answer?.code === 'ENTITLEMENT_EXCEEDED' || left <= 0) return;
      await this.#world.time.sleep(pauseMs);
    }
  }

  #check({ blobKey }: DocumentOrder, answer: UploadAnswer): void {
    if (answer === null || answer.code === 'SERVICE_UNAVAILABLE') return;
    const named = this.#world.database.store.events.some(
      ({ type, data }) =>
        (type === 'DocumentStored' || type === 'RevisionChained') && data.blobKey === blobKey,
    );
    const claimed = answer.stored?.blobNamed ?? false;
    if (named !== claimed) {
      const at = Math.round(this.#world.time.nowMs);
      this.violations.push(`${at} ms: ${blobKey} named: ${named}, answered ${answer.code}`);
    }
  }

  #orderOf(file: number): DocumentOrder {
    const { organisationId, workspaceId } = this.#tenant;
    return {
      organisationId,
      workspaceId,
      network: this.#world.network.network,
      hashScheme: this.#world.hashScheme,
      blobKey: blobKey(organisationId, this.#world.newUlid()),
      // Same digest as for the posted hash of this file.
      fileHash: createHash('sha256').update(`file ${file}`).digest('hex') as Digest,
      fileName: 'file',
      fileSizeBytes: 1,
      mimeType: 'text/plain',
      description: null,
      classification: null,
    };
  }
}
