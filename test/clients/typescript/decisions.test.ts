import { createHash } from 'node:crypto';
import { test } from 'tap';
import { type ShownDecision, verifyDecision } from '../../../clients/typescript/src/decisions.ts';

const sha256 = (...parts: readonly (Uint8Array | string)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

/** Root of a tree, as RFC 6962, section 2.1, defines it. */
function rootOf(leaves: readonly string[]): Buffer {
  const [first = ''] = leaves;
  if (leaves.length === 1) return sha256('\0', first);
  const half = 2 ** Math.ceil(Math.log2(leaves.length) - 1);
  return sha256('\x01', rootOf(leaves.slice(0, half)), rootOf(leaves.slice(half)));
}

/** Inclusion proof of a leaf, as RFC 6962, section 2.1.1, defines it. */
function pathOf(index: number, leaves: readonly string[]): Buffer[] {
  if (leaves.length === 1) return [];
  const half = 2 ** Math.ceil(Math.log2(leaves.length) - 1);
  const [left, right] = [leaves.slice(0, half), leaves.slice(half)];
  return index < half
    ? [...pathOf(index, left), rootOf(right)]
    : [...pathOf(index - half, right), rootOf(left)];
}

function shownOf(index: number, size: number): ShownDecision {
  const decisions = Array.from({ length: size }, (_, at) => ({
    action: 'keep',
    subject: `ä${at}`,
  }));
  const leaves = decisions.map((each) => JSON.stringify(each));
  const rootHash = rootOf(leaves).toString('hex');
  const statement = JSON.stringify({ decisionsRootHash: rootHash, decisionsStored: size });
  return {
    ...{ runId: 'R', decisionIndex: index, treeSize: size, rootHash, statement },
    decision: { subject: `ä${index}`, action: 'keep' },
    canonicalDecision: leaves[index] ?? '',
    leafHash: '',
    hashes: pathOf(index, leaves).map((hash) => hash.toString('hex')),
    statementHash: '',
  };
}

test('every decision of runs of all small sizes is found in its statement', async (t) => {
  for (let size = 1; size <= 17; size += 1) {
    for (let index = 0; index < size; index += 1) {
      const shown = shownOf(index, size);
      const expected = sha256(shown.statement).toString('hex');
      t.equal(verifyDecision(shown), expected, `${index} of ${size}`);
    }
  }
});

test('a decision that was altered, or is of another run, is refused', async (t) => {
  for (const [index, size] of [
    [0, 1],
    [4, 5],
    [2, 7],
    [6, 7],
  ] as const) {
    const shown = shownOf(index, size);
    const { hashes } = shown;
    const wrong: Readonly<Record<string, Partial<ShownDecision>>> = {
      decision: { decision: { subject: `ä${index}`, action: 'delete' } },
      leaf: { canonicalDecision: '{"action":"keep"}', decision: { action: 'keep' } },
      index: { decisionIndex: (index + 1) % size },
      negative: { decisionIndex: -1 },
      size: { treeSize: size + 1 },
      'no size': { treeSize: Number.NaN },
      long: { hashes: [...hashes, '00'.repeat(32)] },
      short: { hashes: hashes.slice(1) },
      'no hash': { hashes: hashes.map(() => 'x') },
      statement: { statement: shownOf(0, 9).statement },
      'no statement': { statement: 'null' },
      'no JSON': { statement: '{' },
    };
    for (const [name, change] of Object.entries(wrong)) {
      // A tree of one leaf has no other index, and no hashes to take away.
      if (size === 1 && ['index', 'short', 'no hash'].includes(name)) continue;
      const altered = { ...shown, ...change };
      t.throws(() => verifyDecision(altered), { code: 'DECISION_NOT_IN_RUN' }, `${name}, ${size}`);
    }
  }
});
