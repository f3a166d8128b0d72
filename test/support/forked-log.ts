import { signCheckpoint } from '../../src/transparency-log/checkpoint/checkpoint.ts';
import { noteSigner } from '../../src/transparency-log/checkpoint/note-key.ts';
import { formatAddCheckpoint } from '../../src/transparency-log/cosigning/add-checkpoint-request.ts';
import { proveConsistency } from '../../src/transparency-log/tree/consistency-proof.ts';
import { rootOf } from '../../src/transparency-log/tree/frontier.ts';
import { type ReadKey, readLogKey } from '../../src/verifier/log/note-key.ts';
import { nodesOf, sampleLeaves } from './sample-tree.ts';

/** A log whose key signs any tree: views that agree up to a size, and differ beyond. */
export interface ForkedLog {
  readonly origin: string;
  readonly key: ReadKey;
  /** Signs the first leaves of a view. */
  note(size: number, view?: number): string;
  /** Body of an `add-checkpoint` of a view, with a proof within that view. */
  request(oldSize: number, size: number, view?: number): Promise<Buffer>;
  /** Root of the first leaves of a view. */
  root(size: number, view?: number): Buffer;
}

export function forkedLog(origin = 'log.example/forked', common = 3, most = 40): ForkedLog {
  const signer = noteSigner(origin, Buffer.alloc(32, 9));
  const all = sampleLeaves(2 * most);
  const views = [all.slice(0, most), [...all.slice(0, common), ...all.slice(most)]];
  const root = (size: number, view = 0) => rootOf((views[view] ?? []).slice(0, size));
  const note = (size: number, view = 0) =>
    signCheckpoint({ origin, size, root: root(size, view) }, [signer]);
  return {
    origin,
    key: readLogKey(signer.vkey) as ReadKey,
    root,
    note,
    async request(oldSize, size, view = 0) {
      const proof =
        oldSize > size ? [] : await proveConsistency(oldSize, size, nodesOf(views[view] ?? []));
      return Buffer.from(formatAddCheckpoint({ oldSize, proof, note: note(size, view) }));
    },
  };
}
