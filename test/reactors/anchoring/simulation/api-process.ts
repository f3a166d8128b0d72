import { NEVER, Subject } from 'rxjs';
import { chainRevision } from '../../../../src/commands/chain-revision.ts';
import {
  type DocumentOrder,
  storeDocument,
  type UploadDeps,
} from '../../../../src/commands/store-document.ts';
import { BlobTooOld } from '../../../../src/domain/blob/orphan.ts';
import type { StoredUpload } from '../../../../src/domain/document/upload.ts';
import type { Digest } from '../../../../src/domain/proof/digest.ts';
import type { HashScheme } from '../../../../src/domain/proof/hash-scheme.ts';
import type { DocumentId, OrganisationId, WorkspaceId } from '../../../../src/domain/ulid.ts';
import { createTurns } from '../../../../src/event-store/handling/turns.ts';
import { faultReply } from '../../../../src/http/errors/error-reply.ts';
import { replyToError } from '../../../../src/http/errors/reply-to-error.ts';
import { postProof } from '../../../../src/http/proofs/post-proof.ts';
import { createProofSettling } from '../../../../src/http/proofs/settle-proof.ts';
import { openStreamWatch } from '../../../../src/subscriptions/stream-watch.ts';
import { signalOf } from './anchoring-process.ts';
import { DatabaseConnection } from './database-connection.ts';
import { emptyReadModels } from './empty-read-models.ts';
import { createFaultyEventStore } from './faulty-event-store.ts';
import { ProcessEffects } from './process-effects.ts';
import type { World } from './world.ts';

/** Status, code and transaction of an answer, or null if the connection broke. */
export type ApiAnswer = {
  readonly status: number;
  readonly code: string | null;
  readonly txHash: string | null;
  readonly proofId: string | null;
} | null;

/** Result of an upload with its refusal code, or null if the connection broke. */
export type UploadAnswer = {
  readonly code: string;
  readonly stored: StoredUpload | null;
} | null;

export interface Tenant {
  readonly organisationId: OrganisationId;
  readonly workspaceId: WorkspaceId;
}

/** Dependencies of the route for posts. */
type PostDeps = Parameters<typeof postProof.handle>[1];

const startAgainMs = 1_000;

/** One process that answers posts: the real route over a store with injected faults. */
export class ApiProcess {
  readonly effects: ProcessEffects;
  readonly #ended = new Subject<null>();
  readonly #deps: Promise<PostDeps & UploadDeps>;
  readonly #tenant: Tenant;
  readonly #hashScheme: HashScheme;
  readonly faults: unknown[] = [];
  #close = () => {};
  readonly #connection: DatabaseConnection | null;

  constructor(world: World, tenant: Tenant, waitMs: number) {
    this.effects = new ProcessEffects(world);
    this.#tenant = tenant;
    this.#hashScheme = world.hashScheme;
    this.#connection = world.mayLose
      ? new DatabaseConnection(world.database.store, () => this.effects.kill())
      : null;
    this.#deps = this.#start(world, waitMs);
    this.effects.onKill = () => {
      this.#close();
      this.#ended.next(null);
    };
  }

  /** Opens a new connection after the database has ended all. */
  reconnect(): void {
    this.#connection?.open(async () => {}).catch(() => {});
  }

  async post(hash: Digest, queued: boolean): Promise<ApiAnswer> {
    if (this.effects.dead) return null;
    const broken = new Promise<null>((resolve) => this.#ended.subscribe(resolve));
    return Promise.race([broken, this.#post(hash, queued)]);
  }

  async #post(hash: Digest, queued: boolean): Promise<ApiAnswer> {
    const deps = await this.#deps;
    const { organisationId, workspaceId } = this.#tenant;
    const call = {
      requestId: 'simulated',
      base: '',
      body: { hash, workspace: workspaceId },
      headers: queued ? { prefer: 'respond-async' } : {},
      caller: {
        keyId: 'simulated',
        organisationId,
        organisation: { hashScheme: this.#hashScheme },
      },
    };
    const reply = await postProof
      // The route reads only these fields of a call.
      .handle(call as unknown as Parameters<typeof postProof.handle>[0], deps)
      .catch((error: unknown) => {
        const known = replyToError(error);
        if (known === null) this.faults.push(error);
        return known ?? faultReply();
      });
    const body = reply.body as { code?: string; data?: { txHash: string; proofId: string } };
    const { txHash = null, proofId = null } = body.data ?? {};
    return { status: reply.status ?? 0, code: body.code ?? null, txHash, proofId };
  }

  /** Uploads as the routes do. A null root creates a document of its own. */
  async upload(order: DocumentOrder, root: DocumentId | null): Promise<UploadAnswer> {
    if (this.effects.dead) return null;
    const broken = new Promise<null>((resolve) => this.#ended.subscribe(resolve));
    return Promise.race([broken, this.#upload(order, root)]);
  }

  async #upload(order: DocumentOrder, root: DocumentId | null): Promise<UploadAnswer> {
    const deps = await this.#deps;
    try {
      const stored =
        root === null
          ? await storeDocument(deps, order, {})
          : await chainRevision(deps, { ...order, rootDocumentId: root }, {});
      return { code: stored.created ? 'created' : 'known', stored };
    } catch (error) {
      // The clock jumped ahead after the bytes were stored.
      if (error instanceof BlobTooOld) return { code: 'BLOB_TOO_OLD', stored: null };
      const known = replyToError(error);
      if (known === null) this.faults.push(error);
      const { code } = (known ?? faultReply()).body as { code: string };
      return { code, stored: null };
    }
  }

  async #start(world: World, waitMs: number): Promise<PostDeps & UploadDeps> {
    if (world.mayLose) await world.operator.mayStart();
    const store = createFaultyEventStore(world.database, this.effects, this.#connection);
    const signal = signalOf(world);
    for (;;) {
      const watch = await openStreamWatch({ store, signal }).catch(() => null);
      if (watch === null) {
        await world.time.sleep(startAgainMs);
        continue;
      }
      this.#close = () => watch.close();
      const ledgerAbsence = { isAway: () => false, whenAway: () => NEVER };
      const waiting = { proofWaitMs: waitMs, drained: NEVER, ledgerAbsence };
      const deps = {
        store,
        watch,
        db: emptyReadModels,
        network: world.network.network,
        settleProof: createProofSettling({ store, watch, ...waiting }),
        ledgerAbsence,
        nonces: { claim: () => null },
        ledgers: { isStandalone: async () => false, isStandaloneNetwork: async () => false },
        publicUrl: () => '',
        turns: createTurns(),
        now: () => world.time.wall,
        newId: () => world.newId(),
        storedBytes: async () => 0,
        defaultStorageAllowance: null,
        randomBytes: (size: number) => world.randomBytes(size),
      };
      // Everything used by the route for posts and the commands for uploads.
      return deps as unknown as PostDeps & UploadDeps;
    }
  }
}
