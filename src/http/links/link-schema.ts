import { z } from 'zod';
import { id, success, time, url } from '../../views/output-fields.ts';

const linkMembers = {
  id,
  proofId: id,
  showFileName: z.boolean().meta({ description: 'whether the page shows the name of the file' }),
  allowIndexing: z.boolean().meta({ description: 'whether search engines may list the page' }),
  createdAt: time,
  expiresAt: time.nullable().meta({ description: 'end of the link; null if it has none' }),
};

const linkData = z.object(linkMembers).meta({ id: 'Link' });

/** The address is in the first answer only: the service keeps no more than a hash of its token. */
const newLinkData = z
  .object({
    ...linkMembers,
    url: url.meta({
      description: 'the page to share; shown in this answer only. Everybody who has it may look',
    }),
    badgeUrl: url.meta({ description: 'an SVG that says when the proof was recorded' }),
    bundleUrl: url.meta({ description: 'the proof bundle in its form for sharing' }),
  })
  .meta({ id: 'NewLink' });

export const linkList = z.object({ success, data: z.array(linkData) });
export const newLink = z.object({ success, data: newLinkData });
export const withdrawnLink = z.object({ success, data: z.object({ id }) });
