import type { Recorded } from '../domain/event.ts';
import type { LedgerEvent } from '../domain/ledger/events.ts';
import { OrganisationShut } from '../domain/organisation/organisation-shut.ts';
import { evolveOrganisation, unknownOrganisation } from '../domain/organisation/state.ts';
import type { CertificateInputs } from '../domain/proof/events.ts';
import type { CompletedProof } from '../domain/proof/state.ts';
import { streams } from '../domain/streams.ts';
import { evolveWorkspace, unknownWorkspace } from '../domain/workspace/state.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { fold } from './load.ts';

/** Who issues a proof's certificate, as of now, and what kind of ledger it is on, in one query. */
export async function loadIssuer(
  store: Pick<EventStore, 'readStreams'>,
  { request, anchor }: CompletedProof,
): Promise<Pick<CertificateInputs, 'organisationName' | 'workspaceName' | 'standalone'>> {
  const names = [
    streams.organisation(request.organisationId),
    streams.workspace(request.workspaceId),
    streams.ledger(anchor.ledgerId),
  ];
  const read = await store.readStreams(names);
  const [ofOrganisation = [], ofWorkspace = [], ofLedger = []] = names.map((name) =>
    read.get(name),
  );
  const organisation = fold(ofOrganisation, unknownOrganisation, evolveOrganisation).state;
  const workspace = fold(ofWorkspace, unknownWorkspace, evolveWorkspace).state;
  if (organisation.status === 'erased') throw new OrganisationShut(organisation.organisationId);
  if (organisation.status === 'unknown' || workspace.status === 'unknown') {
    throw new Error(`proof ${request.proofId} is of no organisation or workspace`);
  }
  // A ledger's stream holds its events alone.
  const joined = (ofLedger as unknown as readonly Recorded<LedgerEvent>[]).find(
    (event) => event.type === 'LedgerJoined',
  );
  return {
    organisationName: organisation.name,
    workspaceName: workspace.name,
    standalone: joined?.data.standalone ?? false,
  };
}
