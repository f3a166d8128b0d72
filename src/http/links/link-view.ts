import type { Link } from '../../domain/link/state.ts';

/** A link as its owner sees it. */
export function viewLink(link: Link) {
  const { linkId: id, proofId, showsFileName, mayBeIndexed, createdAt, expiresAt } = link;
  return {
    ...{ id, proofId, createdAt, expiresAt },
    showFileName: showsFileName,
    allowIndexing: mayBeIndexed,
  };
}

/** Addresses of a shared proof: its page, its badge and its bundle. */
export function linkAddresses(publicUrl: string, token: string) {
  const url = `${publicUrl.replace(/\/+$/, '')}/shared/${token}`;
  return { url, badgeUrl: `${url}/badge.svg`, bundleUrl: `${url}/bundle.json` };
}
