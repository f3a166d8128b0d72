import { explorerUrl, type ShownTransaction, verifyPageUrl } from './explorer-url.ts';

/** URLs that show a proof's transaction; null while there is none. */
export function transactionUrls(
  shown: Omit<ShownTransaction, 'hash'> & { readonly hash: string | null },
): { readonly verifyUrl: string | null; readonly verifyPageUrl: string | null } {
  const { hash } = shown;
  if (hash === null) return { verifyUrl: null, verifyPageUrl: null };
  const transaction = { ...shown, hash };
  return { verifyUrl: explorerUrl(transaction), verifyPageUrl: verifyPageUrl(transaction) };
}
