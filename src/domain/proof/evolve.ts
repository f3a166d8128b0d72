import type { Recorded } from '../event.ts';
import { isReplacement, signedAs } from '../ledger/transaction.ts';
import type { ProofEvent } from './events.ts';
import { issued, mayIssue, type ProofState } from './state.ts';

/** Folds one event into the state. Throws if the event cannot follow, which is a defect. */
export function evolveProof(state: ProofState, event: Recorded<ProofEvent>): ProofState {
  switch (event.type) {
    case 'ProofRequested':
      expectStatus(state, event, 'unknown');
      return {
        status: 'pending',
        request: { ...event.data, requestedAt: event.recordedAt },
        queued: false,
        failures: 0,
      };
    case 'ProofQueued':
      if (state.status === 'pending' || state.status === 'processing') {
        return { ...state, queued: true };
      }
      return impossible(state, event);
    case 'AnchorPrepared':
      if (state.status === 'processing' && isReplacement(state.prepared, event.data)) {
        const replaced = [...state.replaced, state.prepared];
        return { ...state, prepared: event.data, replaced };
      }
      if (state.status !== 'pending') return impossible(state, event);
      return { ...state, status: 'processing', prepared: event.data, replaced: [] };
    case 'Anchored':
      if (state.status !== 'processing') return impossible(state, event);
      return {
        status: 'completed',
        request: state.request,
        prepared: signedAs(state, event.data.transactionHash) ?? state.prepared,
        anchor: event.data,
        certificate: null,
        superseded: [],
      };
    case 'CertificateIssued':
      if (state.status !== 'completed' || !mayIssue(state, event.data)) {
        return impossible(state, event);
      }
      return issued(state, event.data);
    case 'AnchorExpired':
      if (state.status !== 'processing') return impossible(state, event);
      return {
        status: 'pending',
        request: state.request,
        queued: state.queued,
        failures: state.failures + 1,
      };
    case 'ProofWithdrawn':
      if (state.status !== 'pending') return impossible(state, event);
      return { status: 'withdrawn', request: state.request };
    case 'AnchorRefused':
      if (state.status !== 'pending') return impossible(state, event);
      return { status: 'refused', request: state.request };
  }
}

function expectStatus(state: ProofState, event: ProofEvent, status: ProofState['status']): void {
  if (state.status !== status) impossible(state, event);
}

function impossible(state: ProofState, event: ProofEvent): never {
  throw new Error(`${event.type} cannot follow the proof state ${state.status}`);
}
