import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Digest } from '../domain/proof/digest.ts';
import { digestOf } from '../domain/proof/digest-of.ts';
import type { Decision } from '../domain/run/decision.ts';
import type { RecordedRun } from '../domain/run/state.ts';
import { runStatement } from '../domain/run/statement.ts';
import { rootOf } from '../transparency-log/tree/frontier.ts';
import { proveInclusion } from '../transparency-log/tree/inclusion-proof.ts';
import type { TreeNode } from '../transparency-log/tree/tree-node.ts';

/** The statement of a run, ready to be anchored. */
export interface StatedRun {
  /** RFC 8785 form in UTF-8. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** SHA-256 of the bytes. */
  readonly digest: Digest;
  /** Leaf hashes of the stored decisions, 32 bytes each. */
  readonly leaves: readonly Buffer[];
  /** RFC 6962 root over the leaves, 32 bytes. */
  readonly root: Buffer;
}

/** States a recorded run. The result depends on its event only, so it is the same at any time. */
export function stateRun(run: RecordedRun): StatedRun {
  const leaves = run.decisions.map((decision) => leafOf(canonicalDecision(decision)));
  const root = rootOf(leaves);
  const text = canonical(runStatement(run, root.toString('hex')));
  const bytes = new TextEncoder().encode(text);
  return { bytes, digest: digestOf(bytes), leaves, root };
}

/** RFC 8785 form of a decision: the content of its leaf. */
export function canonicalDecision(decision: Decision): string {
  return canonical(decision);
}

/** Hashes (32 bytes) that lead from the decision at `index` to the root, from the leaf up. */
export function proveDecision(
  { leaves }: Pick<StatedRun, 'leaves'>,
  index: number,
): Promise<readonly Buffer[]> {
  const hashOf = ({ level, index: at }: TreeNode) =>
    rootOf(leaves.slice(at * 2 ** level, (at + 1) * 2 ** level));
  return proveInclusion(index, leaves.length, async (nodes) => nodes.map(hashOf));
}

/** RFC 6962, 2.1: SHA-256 of a zero byte and the content. */
function leafOf(text: string): Buffer {
  return hash('sha256', `\0${text}`, 'buffer');
}

function canonical(value: object): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('a recorded run has no JSON form');
  return text;
}
