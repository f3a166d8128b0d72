import type { Decider } from '../decider.ts';
import type { DocumentEvent } from './events.ts';
import { type DocumentState, evolveDocument, unknownDocument } from './state.ts';

/** The state of a document's stream. */
export const documentDecider: Decider<DocumentState, DocumentEvent> = {
  initial: unknownDocument,
  evolve: evolveDocument,
};
