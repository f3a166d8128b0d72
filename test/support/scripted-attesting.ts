import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import type { AttestationEvent, LedgerAttested } from '../../src/domain/attestation/events.ts';
import { proofDecider } from '../../src/domain/proof/decider.ts';
import type { CompletedProof } from '../../src/domain/proof/state.ts';
import { streams } from '../../src/domain/streams.ts';
import type { ProofId } from '../../src/domain/ulid.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { load } from '../../src/event-store/handling/load.ts';
import { transactionLeaves } from '../../src/ledger/transaction-tree.ts';
import { encodeBase64 } from '../../src/verifier/evidence/base64.ts';
import { packChain } from '../../src/verifier/evidence/header-chain.ts';
import { type LedgerHeader, readHeader } from '../../src/verifier/evidence/ledger-header.ts';
import { itemOf } from './scripted-anchoring.ts';
import { laterHeaders, type SyntheticNetwork, syntheticNetwork } from './synthetic-network.ts';

/** Records signatures of validators for the ledgers of scripted anchoring. */
export interface ScriptedAttesting {
  readonly network: SyntheticNetwork;
  /** Records the signatures for the ledger of a proof, or for one so many ledgers later. */
  attest(proofId: ProofId, laterLedgers?: number): Promise<void>;
}

export function createScriptedAttesting(
  store: EventStore,
  {
    validators = 5,
    signing = 5,
    change = {},
  }: {
    readonly validators?: number;
    readonly signing?: number;
    /** Replaces parts of the recorded signatures. */
    readonly change?: Partial<LedgerAttested['data']>;
  } = {},
): ScriptedAttesting {
  const network = syntheticNetwork(validators);
  const { public_key: publisherKey, manifest, blob, signature } = network.list();
  let isListed = false;

  const append = (event: AttestationEvent) => {
    const { ledgerId, ledgerIndex } = event.data;
    const stream = streams.attestation(ledgerId, ledgerIndex);
    return store.append(
      [{ organisationId: null, stream, expectedVersion: 0, events: [event] }],
      {},
    );
  };
  const publishList = async () => {
    if (isListed) return;
    isListed = true;
    const key = String(publisherKey);
    const list = { network: 'testnet', publisherKey: key, sequence: 1 } as const;
    const data = { ...list, manifest, blob, signature };
    const stream = streams.validators('testnet');
    const events = [{ type: 'ValidatorListPublished', data }] as const;
    const published = await store.readStream(stream);
    // Tests that share a log share the list of their equal networks.
    if (published.some((event) => 'blob' in event.data && event.data.blob === blob)) return;
    const expectedVersion = published.at(-1)?.version ?? 0;
    await store.append([{ organisationId: null, stream, expectedVersion, events }], {});
  };
  const attestedEvent = (
    ledgerId: string,
    header: LedgerHeader,
    leaves: string,
  ): AttestationEvent => ({
    type: 'LedgerAttested',
    data: {
      ...placeOf(ledgerId, header),
      ledgerHeader: bytesToHex(header.bytes).toUpperCase(),
      leaves,
      validations: network.validations(header, signing).map(({ bytes }) => encodeBase64(bytes)),
      manifests: [],
      validatorLists: [{ publisherKey: String(publisherKey), sequence: 1 }],
      ...change,
    },
  });

  return {
    network,
    async attest(proofId, laterLedgers = 0) {
      await publishList();
      const { prepared, anchor } = await completed(store, proofId);
      const { ledgerId } = anchor;
      const header = readHeader(hexToBytes(anchor.ledgerHeader));
      const leaves = transactionLeaves([itemOf(prepared)]).toString('base64');
      if (laterLedgers === 0) {
        await append(attestedEvent(ledgerId, header, leaves));
        return;
      }
      const later = laterHeaders(header, laterLedgers);
      const last = later.at(-1) ?? header;
      await append(attestedEvent(ledgerId, last, ''));
      const { ledgerIndex, ledgerHash } = placeOf(ledgerId, last);
      await append({
        type: 'LedgerLinked',
        data: {
          ...{ ...placeOf(ledgerId, header), leaves, next: { ledgerIndex, ledgerHash } },
          ...{ links: encodeBase64(packChain(header, later)), attestedIndex: last.index },
        },
      });
    },
  };
}

async function completed(store: EventStore, proofId: ProofId): Promise<CompletedProof> {
  const { state } = await load(store, streams.proof(proofId), proofDecider);
  if (state.status !== 'completed') throw new Error(`proof ${proofId} is ${state.status}`);
  return state;
}

function placeOf(ledgerId: string, { index, hash }: LedgerHeader) {
  return { ledgerId, ledgerIndex: index, ledgerHash: hash.toUpperCase() };
}
