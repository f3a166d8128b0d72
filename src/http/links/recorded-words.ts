import type { CertifiedProof } from '../../domain/proof/state.ts';

/** English words for the time that the service states, on the page and on the badge. */
export function recordedWords({ request, anchor, certificate }: CertifiedProof) {
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  const second = new Intl.DateTimeFormat('en-GB', {
    ...{ dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' },
  });
  const time = new Date(anchor.closeTimeIso);
  const ledger = certificate.standalone
    ? 'a development ledger (test only: no evidential value)'
    : request.network === 'mainnet'
      ? 'the XRP Ledger'
      : 'a test network of the XRP Ledger (without lasting evidence)';
  const badge = certificate.standalone
    ? 'test only: no evidential value'
    : request.network === 'mainnet'
      ? `recorded on the XRP Ledger no later than ${day.format(time)}`
      : `recorded on a test network no later than ${day.format(time)}`;
  return { ledger, closeTimeIso: anchor.closeTimeIso, time: `${second.format(time)} UTC`, badge };
}
