import type { CertificateContent } from '../../certificate-content.ts';

/** Address of the page that verifies the transaction, as in the QR code. */
export function verifyAddress({ verifyPageUrl, verifyUrl }: CertificateContent): string {
  return verifyPageUrl ?? verifyUrl;
}

/** The same page without the transaction, short enough to be typed. */
export function pageAddress(content: CertificateContent): string {
  const end = `/${content.transactionHash}`;
  const address = verifyAddress(content);
  return address.endsWith(end) ? address.slice(0, -end.length) : address;
}
