import { organisationDecider } from '../domain/organisation/decider.ts';
import { OrganisationShut } from '../domain/organisation/organisation-shut.ts';
import type { CertificateInputs } from '../domain/proof/certificate-inputs.ts';
import type { CompletedProof } from '../domain/proof/state.ts';
import { streams } from '../domain/streams.ts';
import { workspaceDecider } from '../domain/workspace/decider.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { fold } from '../event-store/handling/load.ts';

/**
 * Loads the issuer of a proof's certificate, as of now, and the kind of its ledger, in one query.
 */
export async function loadIssuer(
  store: Pick<EventStore, 'readStreams'>,
  { request, anchor }: CompletedProof,
): Promise<Pick<CertificateInputs, 'organisationName' | 'workspaceName' | 'standalone'>> {
  const organisationStream = streams.organisation(request.organisationId);
  const workspaceStream = streams.workspace(request.workspaceId);
  const ledgerStream = streams.ledger(anchor.ledgerId);
  const read = await store.readStreams([organisationStream, workspaceStream, ledgerStream]);
  const organisation = fold(read.get(organisationStream), organisationDecider).state;
  const workspace = fold(read.get(workspaceStream), workspaceDecider).state;
  if (organisation.status === 'erased') throw new OrganisationShut(organisation.organisationId);
  if (organisation.status === 'unknown' || workspace.status === 'unknown') {
    throw new Error(`proof ${request.proofId} is of no organisation or workspace`);
  }
  const joined = read.get(ledgerStream)?.find((event) => event.type === 'LedgerJoined');
  return {
    organisationName: organisation.name,
    workspaceName: workspace.name,
    standalone: joined?.data.standalone ?? false,
  };
}
