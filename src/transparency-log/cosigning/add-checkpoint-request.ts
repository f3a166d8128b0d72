import { canonicalBase64 } from '../../verifier/log/canonical-base64.ts';
import { type Checkpoint, readCheckpoint } from '../checkpoint/checkpoint.ts';
import { hashBytes } from '../tree/merkle-hash.ts';

/** A checkpoint that is offered to a witness (C2SP tlog-witness, `add-checkpoint`). */
export interface AddCheckpointRequest {
  /** Size of the tree that the witness is thought to have cosigned last; 0 for none. */
  readonly oldSize: number;
  /** Consistency proof from that tree, 32 bytes for each hash. */
  readonly proof: readonly Buffer[];
  /** The offered checkpoint as a note. Its signatures are not verified. */
  readonly note: string;
  readonly checkpoint: Checkpoint;
}

const mostHashes = 63;

export function formatAddCheckpoint(
  of: Pick<AddCheckpointRequest, 'oldSize' | 'proof' | 'note'>,
): string {
  const hashes = of.proof.map((hash) => `${hash.toString('base64')}\n`).join('');
  return `old ${of.oldSize}\n${hashes}\n${of.note}`;
}

/** Parses the body of a request; null if it is malformed. */
export function parseAddCheckpoint(body: Buffer): AddCheckpointRequest | null {
  const text = body.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(body)) return null;
  const end = text.indexOf('\n\n');
  if (end === -1) return null;
  const [first = '', ...lines] = text.slice(0, end).split('\n');
  const digits = /^old (0|[1-9]\d{0,15})$/.exec(first)?.[1];
  const oldSize = Number(digits);
  if (digits === undefined || !Number.isSafeInteger(oldSize) || lines.length > mostHashes) {
    return null;
  }
  const proof = lines.flatMap((line) => {
    const bytes = canonicalBase64(line);
    return bytes === null ? [] : [Buffer.from(bytes)];
  });
  if (proof.length < lines.length || proof.some(({ length }) => length !== hashBytes)) return null;
  const note = text.slice(end + 2);
  const checkpoint = readCheckpoint(note);
  return checkpoint === null ? null : { oldSize, proof, note, checkpoint };
}
