import { z } from 'zod';
import { createLink } from '../../commands/create-link.ts';
import { canonicalDateTime } from '../../domain/date-time.ts';
import { maxLiveLinks } from '../../domain/link/decider.ts';
import { linksOf } from '../../domain/link/state.ts';
import { loadLinks } from '../../loading/load-links.ts';
import type { ReadDeps } from '../../subscriptions/await-position.ts';
import { type ServingDeps, servedCertificate } from '../certificates/issued-certificate.ts';
import { dateTime, proofId } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { awaitLink } from './await-link.ts';
import { newLink as example } from './link-examples.ts';
import { newLink } from './link-schema.ts';
import { linkAddresses, viewLink } from './link-view.ts';

type Deps = ServingDeps &
  ReadDeps & {
    readonly newId: () => string;
    readonly randomBytes: (count: number) => Buffer;
    readonly now: () => Date;
  };

export const postLink = defineRoute({
  operationId: 'createLink',
  tag: 'Links',
  method: 'POST',
  path: '/proofs/:proofId/links',
  scope: 'links:manage',
  summary: 'Shares a proof: a page that everybody can see who has its address',
  description:
    'The page shows the issuer, the time on the ledger, the SHA-256 of the file, the revision, and ' +
    'the bundle in its form for sharing. It never shows the nonce, and shows the name of the file ' +
    'only with showFileName. Without the name, the bundle has no signature of the issuer, since that ' +
    'covers the name; a file without a name keeps it. The address is in this answer only. It opens a ' +
    'moment later if the service is catching up. A proof has at most ' +
    `${maxLiveLinks} links at a time. The certificate is issued if there is none.`,
  params: { schema: z.object({ proofId }), refusals: { proofId: 'INVALID_PROOF_ID' } },
  body: {
    schema: z.object({
      showFileName: z
        .boolean()
        .nullish()
        .meta({
          description:
            'true: the page and its bundle name the file; default false, then the bundle lacks the signature of ' +
            'the issuer if the file has a name',
        }),
      allowIndexing: z.boolean().nullish().meta({
        description: 'true: search engines may list the page; default false',
      }),
      expiresAt: dateTime.nullish().meta({
        description: 'end of the link, in the future; if absent or null, it lasts until withdrawn',
      }),
    }),
    example: { showFileName: true, expiresAt: example.expiresAt },
  },
  responses: {
    201: {
      description: 'the link with its address',
      schema: newLink,
      example: { success: true, data: example },
    },
  },
  refusals: [
    'INVALID_PROOF_ID',
    'PROOF_NOT_FOUND',
    'PROOF_NOT_ANCHORED',
    'LINK_LIMIT_REACHED',
    'SERVICE_UNAVAILABLE',
  ],
  handle: async (call, deps: Deps) => {
    const { caller, params, body, meta } = call;
    const { organisationId } = caller;
    // Refuses a proof of another organisation, and one that is not on a ledger yet.
    await servedCertificate(deps, { ...call, query: {} }, () => '');
    const order = {
      organisationId,
      proofId: params.proofId,
      showsFileName: body.showFileName ?? false,
      mayBeIndexed: body.allowIndexing ?? false,
      expiresAt: body.expiresAt == null ? null : canonicalDateTime(body.expiresAt),
    };
    const { linkId, token } = await createLink(deps, order, meta);
    await awaitLink(deps, organisationId);
    const links = linksOf(await loadLinks(deps.store, params.proofId));
    const link = links.find((each) => each.linkId === linkId);
    if (link === undefined) throw new Error(`link ${linkId} was created, and is not there`);
    const data = { ...viewLink(link), ...linkAddresses(deps.publicUrl(), token) };
    return { status: 201, body: { success: true, data } };
  },
});
