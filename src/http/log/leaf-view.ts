import { z } from 'zod';
import type { PublishedLeaf } from '../../transparency-log/inclusion/prove-published-leaf.ts';
import { success } from '../../views/output-fields.ts';
import { inclusion } from './inclusion-example.ts';
import { inclusionData, viewPlacedLeaf } from './inclusion-view.ts';

/** A leaf of the published log and its inclusion proof, without the event. */
export const leafResponse = z.object({ success, data: inclusionData.omit({ event: true }) });

const { event: _, ...leaf } = inclusion;

/** Example of the shape of an answer. Its values are invented, so it does not verify. */
export const leafExample = { success: true, data: leaf };

export function viewPublishedLeaf(proven: PublishedLeaf) {
  const { checkpoint } = proven;
  return {
    ...viewPlacedLeaf(proven, checkpoint.size),
    checkpoint: checkpoint.note,
    logKeys: checkpoint.vkeys,
  };
}
