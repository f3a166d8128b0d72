import { openCheckpoint } from '../transparency-log/checkpoint/checkpoint.ts';
import { signatureLine } from '../transparency-log/checkpoint/signed-note.ts';
import {
  type AddCheckpointRequest,
  parseAddCheckpoint,
} from '../transparency-log/cosigning/add-checkpoint-request.ts';
import type { Cosigner } from '../transparency-log/cosigning/cosigner.ts';
import { verifyConsistency } from '../transparency-log/tree/consistency-proof.ts';
import { joinSubtrees } from '../transparency-log/tree/merkle-hash.ts';
import { isNamedBy, type ReadKey } from '../verifier/log/note-key.ts';
import { readSignedNote } from '../verifier/log/signed-note.ts';
import type { CosignedCheckpoints } from './cosigned-checkpoints.ts';

export interface WitnessOptions {
  readonly cosigner: Cosigner;
  /** Keys of the logs that are witnessed. The name of a key is the origin of its log. */
  readonly logs: readonly ReadKey[];
  readonly checkpoints: Pick<CosignedCheckpoints, 'read' | 'write'>;
  /**
   * Called for a checkpoint that the log has signed, with the cosigned size and another root: proof
   * of two histories. A wrong consistency proof may come from anybody, and proves nothing.
   */
  readonly onTwoRoots?: (origin: string, note: string) => void;
  readonly nowMs?: () => number;
}

/** Answer of C2SP tlog-witness: a status of HTTP and its text. */
export interface WitnessAnswer {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422;
  readonly text: string;
}

/**
 * Cosigns checkpoints of logs, each only if its tree begins with the whole tree of the one that was
 * cosigned before. The new checkpoint is durable before its cosignature leaves this object.
 */
export class Witness {
  readonly #options: WitnessOptions;
  /** End of the newest request of each origin. Requests of a log take turns. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(options: WitnessOptions) {
    this.#options = options;
  }

  /** Answers the body of an `add-checkpoint`. Rejects if the state cannot be read or written. */
  async addCheckpoint(body: Buffer): Promise<WitnessAnswer> {
    const request = parseAddCheckpoint(body);
    if (request === null) return { status: 400, text: 'the request is malformed\n' };
    const { origin, size } = request.checkpoint;
    const keys = this.#options.logs.filter(({ name }) => name === origin);
    if (keys.length === 0) return { status: 404, text: 'this log is not witnessed here\n' };
    const opened = openCheckpoint(request.note, keys);
    if (opened.status !== 'verified') {
      return { status: 403, text: 'the checkpoint has no valid signature of a key of this log\n' };
    }
    if (request.oldSize > size) {
      return { status: 400, text: 'the old size is larger than the checkpoint\n' };
    }
    return this.#inTurn(origin, () => this.#cosign(request, opened.by));
  }

  async #cosign(
    { oldSize, proof, note, checkpoint }: AddCheckpointRequest,
    by: readonly ReadKey[],
  ): Promise<WitnessAnswer> {
    const { checkpoints, cosigner, nowMs = Date.now, onTwoRoots } = this.#options;
    const { origin, size, root } = checkpoint;
    const last = await checkpoints.read(origin);
    const older = last?.checkpoint ?? { size: 0, root: joinSubtrees([]) };
    if (older.size !== oldSize) return { status: 409, text: `${older.size}\n` };
    if (size === 0 && !root.equals(joinSubtrees([]))) {
      return { status: 422, text: 'this is not the root of an empty tree\n' };
    }
    if (size === older.size && !root.equals(older.root)) {
      onTwoRoots?.(origin, note);
      return { status: 409, text: `${older.size}\n` };
    }
    if (!verifyConsistency({ older, newer: checkpoint, proof })) {
      return { status: 422, text: 'the checkpoint is not consistent with the last cosigned one\n' };
    }
    const { text, signatures } = readSignedNote(note) as NonNullable<
      ReturnType<typeof readSignedNote>
    >;
    const cosignature = cosigner.cosign(text, Math.floor(nowMs() / 1_000));
    const ofLog = by.flatMap((key) => signatures.find((each) => isNamedBy(each, key)) ?? []);
    await checkpoints.write(origin, `${text}\n${ofLog.map(signatureLine).join('')}${cosignature}`);
    return { status: 200, text: cosignature };
  }

  async #inTurn<Result>(origin: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#turns.get(origin) ?? Promise.resolve();
    const own = before.then(work, work);
    this.#turns.set(origin, own);
    try {
      return await own;
    } finally {
      if (this.#turns.get(origin) === own) this.#turns.delete(origin);
    }
  }
}
