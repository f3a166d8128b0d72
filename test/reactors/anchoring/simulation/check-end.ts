import {
  OtherLedger,
  UnrecognisedLedger,
} from '../../../../src/anchoring-state/ledger-identity.ts';
import { isConnectionLoss, StoreUnavailable } from '../../../../src/event-store/connection-loss.ts';
import { LedgerUnavailable } from '../../../../src/ledger/ledger-unavailable.ts';
import { BrokenChain } from '../../../../src/reactors/anchoring/read-chain.ts';
import { StorageUnavailable } from '../../../../src/storage/storage-unavailable.ts';
import type { AnchoringProcess } from './anchoring-process.ts';
import type { ApiProcess } from './api-process.ts';
import type { Callers } from './callers.ts';
import { checkDocuments } from './check-documents.ts';
import type { ProcessSlot } from './process-slot.ts';
import { type FoldedProof, proofsOf } from './proofs-of.ts';
import type { Uploaders } from './uploaders.ts';
import type { World } from './world.ts';

/** All violations found after the run. */
export function checkEnd(end: {
  readonly world: World;
  readonly callers: Callers;
  readonly uploaders: Uploaders;
  readonly allowance: number | null;
  readonly anchoring: readonly ProcessSlot<AnchoringProcess>[];
  readonly api: ProcessSlot<ApiProcess>;
  /** Files posted once more at the end, because they were rolled back. */
  readonly rolledBack: readonly number[];
  /** True if the run came to rest. */
  readonly quiet: boolean;
}): string[] {
  if (end.world.mayLose) return checkEndOfLossy(end);
  const { world, callers, uploaders, anchoring, api } = end;
  const found = [...world.truth.violations, ...callers.violations, ...uploaders.violations];
  const waiting = callers.waiting + uploaders.waiting;
  if (!end.quiet) found.push(`callers that still wait: ${waiting}`);
  found.push(...checkDocuments(world, end.allowance));
  for (const hash of world.truth.open) found.push(`the fate of ${hash} stays open`);
  for (const name of world.truth.checkpoints.names) {
    const successes = world.truth.successesOf(name).length;
    if (successes > 1) found.push(`${name} is on the ledger ${successes} times`);
  }
  if (!world.truth.checkpoints.isSettled) found.push('something new is not anchored');
  for (const [stream, proof] of proofsOf(world)) found.push(...checkProof(world, stream, proof));
  for (const file of end.rolledBack) {
    const answer = callers.lastAnswer(file);
    const proven = answer?.status === 200 || answer?.status === 201;
    if (!proven) found.push(`file ${file}, rolled back, cannot be posted: ${answer?.code}`);
  }
  const sessions = anchoring.map((slot) => slot.current.session);
  for (const name of world.locks.heldByOthers(sessions)) found.push(`the lock ${name} is leaked`);
  for (const process of [...api.past, api.current]) found.push(...process.faults.map(describe));
  for (const slot of anchoring) {
    for (const process of [...slot.past, slot.current]) {
      found.push(...process.troubles.filter((trouble) => !isExpected(trouble)).map(describe));
    }
  }
  return found;
}

/**
 * After a loss, answers given before it may be wrong. But the log comes to rest, and nothing is
 * signed or anchored twice.
 */
function checkEndOfLossy({ world, anchoring, quiet }: Parameters<typeof checkEnd>[0]): string[] {
  const found = [...world.truth.violations];
  if (!quiet) found.push('the run does not come to rest');
  for (const stream of world.truth.streams) {
    if (!stream.startsWith('proof-')) continue;
    const successes = world.truth.successesOf(stream).length;
    if (successes > 1) found.push(`${stream} is on the ledger ${successes} times`);
  }
  for (const [stream, { state }] of proofsOf(world)) {
    const { status } = state;
    if (status === 'pending' || status === 'processing') found.push(`${stream} stays ${status}`);
  }
  const processes = anchoring.flatMap((slot) => [...slot.past, slot.current]);
  const troubles = processes.flatMap((process) => process.troubles);
  found.push(...troubles.filter((trouble) => !isExpected(trouble)).map(describe));
  return found;
}

function checkProof(world: World, stream: string, { state, queued }: FoldedProof): string[] {
  const successes = world.truth.successesOf(stream).length;
  if (successes > 1) return [`${stream} is on the ledger ${successes} times`];
  switch (state.status) {
    case 'completed': {
      const isGone = world.truth.isGone(state.anchor.ledgerId);
      return successes === 1 || isGone ? [] : [`${stream} is completed, but not on the ledger`];
    }
    case 'withdrawn':
      if (successes > 0) return [`${stream} is withdrawn, but on the ledger`];
      return queued ? [`${stream} is withdrawn, though it was queued`] : [];
    case 'refused':
      return successes > 0 ? [`${stream} is given up, but on the ledger`] : [];
    default:
      return [`${stream} stays ${state.status}`];
  }
}

const expected = [
  StoreUnavailable,
  StorageUnavailable,
  LedgerUnavailable,
  OtherLedger,
  UnrecognisedLedger,
  BrokenChain,
];

function isExpected(trouble: unknown): boolean {
  if (!(trouble instanceof Error)) return false;
  const isKnown = expected.some((kind) => trouble instanceof kind) || isConnectionLoss(trouble);
  return isKnown || trouble.message === 'the key service does not answer';
}

function describe(trouble: unknown): string {
  return `failed unexpectedly: ${trouble instanceof Error ? trouble.stack : String(trouble)}`;
}
