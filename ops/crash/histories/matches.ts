import { differences, type ModelProof, type OrganisationModel } from './organisation-model.ts';
import type { RecordedCall, ShownProof } from './recorded-call.ts';

/** True if the call may have this answer when the organisation's proofs are as in the model. */
export function matches({ request, answer }: RecordedCall, model: OrganisationModel): boolean {
  switch (answer.kind) {
    case 'nothing':
      return true;
    case 'page': {
      if (request.kind !== 'list') return false;
      const { total, items } = model.list(request);
      return (
        total === answer.total &&
        items.length === answer.items.length &&
        items.every((proof, index) => isShown(answer.items[index], proof))
      );
    }
    case 'proof': {
      const proof = model.proof(answer.proof.proofId);
      if (proof === null || !isShown(answer.proof, proof)) return false;
      if (request.kind === 'get') return request.proofId === proof.proofId;
      if (request.kind === 'list') return false;
      const isOfPost = proof.fileHash === request.hash && proof.workspace === request.workspace;
      return isOfPost && (answer.status === 202 || proof.blockchainStatus === 'completed');
    }
    case 'refused':
      if (request.kind === 'list') return false;
      if (request.kind === 'get') {
        return answer.code === 'PROOF_NOT_FOUND' && model.proof(request.proofId) === null;
      }
      return mayRefuse(model.claim(request.workspace, request.hash), answer);
  }
}

/** `claim` is the visible proof of the hash. */
function mayRefuse(
  claim: ModelProof | null,
  { code, proofId }: { readonly code: string | null; readonly proofId: string | null },
): boolean {
  if (code === 'XRPL_ERROR') return claim === null;
  return (
    code === 'PROOF_NOT_RECORDED' &&
    claim !== null &&
    claim.isQueued &&
    claim.blockchainStatus !== 'completed' &&
    (proofId === null || claim.proofId === proofId)
  );
}

function isShown(shown: ShownProof | undefined, proof: ModelProof): boolean {
  return shown?.proofId === proof.proofId && differences(shown, proof).length === 0;
}
