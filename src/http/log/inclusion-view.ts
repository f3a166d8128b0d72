import { z } from 'zod';
import type {
  EventProof,
  PlacedLeaf,
  ProvenLeaf,
} from '../../transparency-log/inclusion/prove-event.ts';
import { count, id, lowerHex, success, time } from '../../views/output-fields.ts';

/** The input of a leaf whose event belongs to no organisation, without its type. */
export const publicEventFields = {
  v: z.literal(1),
  eventId: id,
  organisationId: z.null(),
  stream: z.string(),
  version: count,
  schema: count,
  recordedAt: time,
  dataHash: lowerHex,
  metaHash: lowerHex,
};

/** Data needed to recompute a leaf and the root of a tree with it. */
export const provenLeafFields = {
  event: z.object({
    v: z.literal(1),
    eventId: id,
    organisationId: id,
    stream: z.string(),
    version: count,
    type: z.literal('Anchored'),
    schema: count,
    recordedAt: time,
    dataHash: lowerHex,
    metaHash: lowerHex,
  }),
  leafHash: lowerHex,
  leafIndex: count,
  treeSize: count,
  rootHash: lowerHex,
  hashes: z.array(lowerHex),
};

/** An inclusion proof with all data needed to recompute the leaf and the root. */
export const inclusionData = z.object({
  ...provenLeafFields,
  checkpoint: z.string().meta({ description: 'The checkpoint as published: a signed note.' }),
  logKeys: z.array(z.string()).meta({
    description:
      'The keys of the log: first the keys that signed the checkpoint, then all others, since a ' +
      'certificate from an earlier epoch of the log is checked with the key of that epoch. Trust only ' +
      'keys that you also know from another source.',
  }),
});

export const inclusionResponse = z.object({ success, data: inclusionData });

/** `logKeys` are all keys of the log. */
export function viewInclusion(proof: EventProof, logKeys: readonly string[]) {
  const { checkpoint } = proof;
  return {
    ...viewProvenLeaf(proof, checkpoint.size),
    checkpoint: checkpoint.note,
    logKeys: [...new Set([...checkpoint.vkeys, ...logKeys])],
  };
}

export function viewProvenLeaf(proven: ProvenLeaf, treeSize: number) {
  return { event: { v: 1, ...proven.input }, ...viewPlacedLeaf(proven, treeSize) };
}

export function viewPlacedLeaf({ leaf, index, hashes, root }: PlacedLeaf, treeSize: number) {
  return {
    leafHash: leaf.toString('hex'),
    leafIndex: index,
    treeSize,
    rootHash: root.toString('hex'),
    hashes: hashes.map((hash) => hash.toString('hex')),
  };
}
