import { isProvable } from '../domain/attestation/is-provable.ts';
import type { CertifiedProof, LateEvidence } from '../domain/proof/state.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { anchoredAt } from './find-anchored.ts';
import { loadAttestation } from './load-attestation.ts';
import type { UnprovenAnchors } from './unproven-anchors.ts';

interface DueDeps {
  readonly store: EventStore;
  readonly unproven: UnprovenAnchors;
  /** Null without a time-stamping authority: no token is ever due. */
  readonly timestamps: { covers(position: number): Promise<boolean> } | null;
}

/** Evidence on record that the newest certificate lacks. */
export type DueEvidence = Readonly<Record<keyof LateEvidence, boolean>>;

export function isAnyDue({ attestation, timestamp }: DueEvidence): boolean {
  return attestation || timestamp;
}

/** Finds what a successor of the newest certificate would gain. Rejects if the store cannot be read. */
export async function dueFor(deps: DueDeps, proof: CertifiedProof): Promise<DueEvidence> {
  return {
    attestation: await lacksSignatures(deps, proof),
    timestamp: await lacksToken(deps, proof),
  };
}

/** True if the newest certificate lacks signatures that are on record, and that may prove the anchor. */
async function lacksSignatures(
  { store, unproven }: Pick<DueDeps, 'store' | 'unproven'>,
  { request, certificate, anchor }: CertifiedProof,
): Promise<boolean> {
  if (certificate.attestation !== null || unproven.has(request.proofId)) return false;
  const recorded = await loadAttestation(store, anchor);
  return recorded !== null && isProvable(recorded);
}

async function lacksToken(
  { store, timestamps }: Pick<DueDeps, 'store' | 'timestamps'>,
  { request, certificate }: CertifiedProof,
): Promise<boolean> {
  if (timestamps === null || certificate.timestamp !== null) return false;
  const { logInclusion } = certificate;
  const position =
    logInclusion === null
      ? await anchoredAt(store, request.proofId)
      : positionOf(logInclusion.leafIndex);
  return timestamps.covers(position);
}

/** Position of the event whose leaf has this index. */
function positionOf(leafIndex: number): number {
  return leafIndex + 1;
}
