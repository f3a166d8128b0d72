import type { Witness } from '../../verifier/log/policy.ts';
import { readSignatureLines, readSignedNote } from '../../verifier/log/signed-note.ts';
import { type Checkpoint, readCheckpoint } from '../checkpoint/checkpoint.ts';
import { signatureLine } from '../checkpoint/signed-note.ts';
import { formatAddCheckpoint } from '../cosigning/add-checkpoint-request.ts';
import { ownSignatures } from '../cosigning/own-signatures.ts';

/** A witness of the policy with a URL. */
export type ReachableWitness = Witness & { readonly url: string };

/** Proves that the tree of a checkpoint begins with its first `older` leaves. */
export type ProveGrowth = (older: number, checkpoint: Checkpoint) => Promise<readonly Buffer[]>;

/**
 * Reasons why a witness has not cosigned: `conflict` it has cosigned another history, or a longer
 * log; `refused` it does not accept this log; `failed` it gave no usable answer.
 */
type TroubleKind = 'conflict' | 'refused' | 'failed';

/** Outcomes of an offer. `unverified`: recorded, but this release cannot verify its type. */
export const offerOutcomes = ['cosigned', 'unverified', 'conflict', 'refused', 'failed'] as const;

export type OfferOutcome = (typeof offerOutcomes)[number];

/** A witness has not cosigned. The message continues the name of the witness. */
export class WitnessTrouble extends Error {
  readonly kind: TroubleKind;

  constructor(
    message: string,
    options: { readonly kind?: TroubleKind; readonly cause?: unknown } = {},
  ) {
    const { kind = 'failed', ...rest } = options;
    super(message, rest);
    this.kind = kind;
  }
}

const mostAnswerBytes = 16_384;
/** A longer line would not fit into the note of a bundle. ML-DSA-87 has 4,627 bytes. */
const mostSignatureBytes = 5_000;
/** The second attempt has the size that the witness has stated. */
const attempts = 3;

/**
 * Asks one witness for cosignatures (C2SP tlog-witness). Remembers the size that it cosigned last.
 * One call at a time.
 */
export class WitnessClient {
  readonly witness: ReachableWitness;
  readonly #address: URL;
  #known = 0;

  constructor(witness: ReachableWitness) {
    this.witness = witness;
    this.#address = new URL(`${witness.url.replace(/\/+$/, '')}/add-checkpoint`);
  }

  /**
   * Offers a published checkpoint. Resolves with its cosignature as a line of a note. Reads a limited
   * number of bytes, follows no redirect, and ends when the signal does. Rejects with
   * `WitnessTrouble`, or with the error of `prove`.
   */
  async offer(note: string, prove: ProveGrowth, signal: AbortSignal): Promise<string> {
    const checkpoint = readCheckpoint(note);
    const parsed = readSignedNote(note);
    if (checkpoint === null || parsed === null) throw new TypeError('not a checkpoint');
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const oldSize = this.#known;
      if (oldSize > checkpoint.size) {
        this.#known = 0;
        throw new WitnessTrouble(
          `states that it has cosigned ${oldSize} events, more than were published`,
          { kind: 'conflict' },
        );
      }
      const proof = await prove(oldSize, checkpoint);
      const { status, text } = await this.#post(
        formatAddCheckpoint({ oldSize, proof, note }),
        signal,
      );
      if (status === 409) {
        const stated = Number(/^(0|[1-9]\d{0,15})\n?$/.exec(text)?.[1] ?? -1);
        // It has cosigned another root of this size.
        if (stated === oldSize && oldSize === checkpoint.size)
          throw new WitnessTrouble(`answered 409${anotherHistory}`, { kind: 'conflict' });
        if (!Number.isSafeInteger(stated) || stated < 0 || stated === oldSize) {
          throw new WitnessTrouble('answered 409 without another size');
        }
        this.#known = stated;
        continue;
      }
      if (status !== 200) {
        const kind = kindOf(status);
        throw new WitnessTrouble(`answered ${status}${hints[status] ?? ''}`, { kind });
      }
      const own = ownSignatures(this.witness.key, {
        text: parsed.text,
        signatures: readSignatureLines(text) ?? [],
      });
      const [first] = own;
      if (first === undefined)
        throw new WitnessTrouble('answered without a valid cosignature of its key');
      if (first.signature.length > mostSignatureBytes)
        throw new WitnessTrouble(`answered with a cosignature of ${first.signature.length} bytes`);
      this.#known = checkpoint.size;
      return signatureLine(first);
    }
    throw new WitnessTrouble('stated a different size at each attempt');
  }

  async #post(body: string, signal: AbortSignal) {
    try {
      const response = await fetch(this.#address, {
        method: 'POST',
        body,
        signal,
        redirect: 'manual',
        headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Accept-Encoding': 'identity' },
      });
      return { status: response.status, text: await readText(response) };
    } catch (cause) {
      if (cause instanceof WitnessTrouble) throw cause;
      if (signal.aborted) throw new WitnessTrouble('did not answer in time', { cause });
      throw new WitnessTrouble('cannot be reached', { cause });
    }
  }
}

const anotherHistory =
  ': it has cosigned another history of this log. Compare the checkpoint that it serves';

const hints: Readonly<Record<number, string>> = {
  403: ': it knows another key of this log; send its operator the line of ops log key',
  404: ': it does not know this log; send its operator the line of ops log key',
  422: anotherHistory,
};

function kindOf(status: number): TroubleKind {
  if (status === 422) return 'conflict';
  return status >= 400 && status < 500 && status !== 429 ? 'refused' : 'failed';
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > mostAnswerBytes) throw new WitnessTrouble('answered too many bytes');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
