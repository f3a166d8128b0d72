import { createLink } from '../../../commands/create-link.ts';
import { linksOf } from '../../../domain/link/state.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { LinkId, ProofId } from '../../../domain/ulid.ts';
import { loadLinks } from '../../../loading/load-links.ts';
import { loadOwnProof } from '../../../loading/load-own-proof.ts';
import { getCertificate } from '../../certificates/get-certificate.ts';
import { parseInput } from '../../input.ts';
import { awaitLink } from '../../links/await-link.ts';
import { linkAddresses } from '../../links/link-view.ts';
import type { Reply } from '../../reply.ts';
import { consoleReply, sentence } from '../console-page.ts';
import type { ConsoleRoute, FormRequest } from '../console-route.ts';
import { readOnce } from '../form-orders.ts';
import { html } from '../html.ts';
import { aboutLastDay, endOfDay } from '../read-day.ts';
import { copiedState, shownSecret } from '../shown-secret.ts';
import { type DocumentDeps, showDocument } from './document-page.ts';
import { proofParams } from './proof-params.ts';

type Deps = DocumentDeps & Parameters<typeof createLink>[0];

const unsigned = 'Nothing was created yet: check the form, and send it again.';

/**
 * Shares a proof by the command of the API, and shows the address once. It counts as one call. A form
 * that is sent again creates no other link.
 */
export const createLinkRoute: ConsoleRoute<Deps> = {
  kind: 'form',
  path: '/console/documents/:id/links',
  role: 'owner',
  needsApiAccess: true,
  again: (request, deps) =>
    showDocument(request, deps, { typed: request.form, note: request.note }),
  handle: async (request, deps) => {
    const { form, params, viewer, token } = request;
    const { id: proofId } = parseInput(proofParams, params);
    await loadOwnProof(deps.store, {
      organisationId: viewer.organisation.organisationId,
      proofId,
    });
    const linkId = readOnce(token ?? '', form.get('once')) as LinkId | null;
    const refused = (note: string) =>
      showDocument(request, deps, { typed: form, note, status: 400 });
    if (linkId === null) return refused(unsigned);
    try {
      const address = await share(request, deps, { proofId, linkId });
      return shownOnce(request, proofId, address);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const isCreated = linksOf(await loadLinks(deps.store, proofId)).some(
        (link) => link.linkId === linkId,
      );
      return isCreated
        ? createdBefore(request, proofId)
        : refused(sentence(aboutLastDay(error.message)));
    }
  },
};

/** Creates the link, once there is a certificate to show, and returns the address of its page. */
async function share(
  request: FormRequest,
  deps: Deps,
  { proofId, linkId }: { readonly proofId: ProofId; readonly linkId: LinkId },
): Promise<string> {
  const { form, meta, viewer } = request;
  const { organisationId } = viewer.organisation;
  await deps.consoleApi.countedReply(request, getCertificate, { params: { proofId } });
  const order = {
    ...{ organisationId, proofId },
    showsFileName: form.has('showFileName'),
    mayBeIndexed: form.has('allowIndexing'),
    expiresAt: endOfDay(form.get('expires')),
  };
  const { token } = await createLink({ ...deps, newId: () => linkId }, order, meta);
  await awaitLink(deps, organisationId);
  return linkAddresses(deps.publicUrl(), token).url;
}

function shownOnce({ viewer, root }: FormRequest, proofId: ProofId, address: string): Reply {
  const content = html`<h1>Your new link</h1>
    <p class="lead">Copy it now. Its address is not stored, so it can never be shown again.</p>
    ${shownSecret('link', 'Address of the link', address, 'Copy the address')}
    ${copiedState}
    <p><a href="${address}">Open the page</a> · <a href="${root}console/documents/${proofId}">Back to the document</a></p>`;
  const page = { title: 'Your new link', content, root, viewer, place: 'documents' } as const;
  return consoleReply({ ...page, status: 201 });
}

/** Answer to a form that was sent again, such as by a reload: the address itself is not stored. */
function createdBefore({ viewer, root }: FormRequest, proofId: ProofId): Reply {
  const content = html`<h1>This link was created before</h1>
    <p class="lead">The form was sent a second time, so no other link was created. An address is shown
    once. If you did not copy it, withdraw the link and create another.</p>
    <p><a href="${root}console/documents/${proofId}">Back to the document</a></p>`;
  const page = { title: 'Created before', content, root, viewer, place: 'documents' } as const;
  return consoleReply({ ...page, status: 409 });
}
