import fc from 'fast-check';
import { test } from 'tap';
import type { Recorded } from '../../../src/domain/event.ts';
import type { ProofEvent } from '../../../src/domain/proof/events.ts';
import { evolveProof } from '../../../src/domain/proof/evolve.ts';
import { isCertified, type ProofState, unknownProof } from '../../../src/domain/proof/state.ts';

/** Evolve uses only the type to decide which event may follow. */
const event = (type: ProofEvent['type']) =>
  ({
    type,
    data: { transactionHash: 'AA' },
    recordedAt: '2026-01-01T00:00:00.000Z',
  }) as unknown as Recorded<ProofEvent>;

/** Allowed events in each state, written out independently. */
const follows: Readonly<Record<string, readonly ProofEvent['type'][]>> = {
  unknown: ['ProofRequested'],
  pending: ['ProofQueued', 'AnchorPrepared', 'ProofWithdrawn', 'AnchorRefused'],
  processing: ['ProofQueued', 'Anchored', 'AnchorExpired'],
  completed: ['CertificateIssued'],
  certified: [],
  withdrawn: [],
  refused: [],
};
const types: readonly ProofEvent['type'][] = [
  'ProofRequested',
  'ProofQueued',
  'AnchorPrepared',
  'Anchored',
  'AnchorExpired',
  'AnchorRefused',
  'ProofWithdrawn',
  'CertificateIssued',
];
const standing = (state: ProofState) => (isCertified(state) ? 'certified' : state.status);

test('throws for an event that cannot follow, naming the event and the state', async (t) => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...types), { maxLength: 12 }), (history) => {
      let state = unknownProof;
      for (const type of history) {
        if (follows[standing(state)]?.includes(type)) state = evolveProof(state, event(type));
        else {
          try {
            evolveProof(state, event(type));
          } catch (error) {
            return String(error).includes(`${type} cannot follow the proof state ${state.status}`);
          }
          return false;
        }
      }
      return true;
    }),
    { numRuns: 2_000 },
  );
  t.pass();
});

test('a proof stays queued and keeps its failure count after an expiry', async (t) => {
  const history: ProofEvent['type'][] = [
    'ProofRequested',
    'AnchorPrepared',
    'ProofQueued',
    'AnchorExpired',
    'AnchorPrepared',
    'AnchorExpired',
  ];
  const state = history.map(event).reduce(evolveProof, unknownProof);
  t.match(state, { status: 'pending', queued: true, failures: 2 });
  t.notOk('prepared' in state, 'the expired transaction is no longer under way');
});

test('the request time is the time of its event', async (t) => {
  const state = evolveProof(unknownProof, event('ProofRequested'));
  t.match(state, { request: { requestedAt: '2026-01-01T00:00:00.000Z' } });
});

test('a completed proof gets one certificate', async (t) => {
  const completed: ProofEvent['type'][] = ['ProofRequested', 'AnchorPrepared', 'Anchored'];
  const state = [...completed, 'CertificateIssued' as const]
    .map(event)
    .reduce(evolveProof, unknownProof);
  t.ok(isCertified(state));
  const cannotFollow = /CertificateIssued cannot follow the proof state completed/;
  t.throws(() => evolveProof(state, event('CertificateIssued')), cannotFollow);
});
