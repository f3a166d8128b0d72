import { Counter, type Registry } from '@prometheus-io/client';

/** Registers the work of a process with the role signer. */
export function signingMetrics(registry: Registry): {
  signed(account: string, count: number): void;
  refused(): void;
} {
  const signatures = new Counter({
    name: 'proofmark_signatures_total',
    help: 'Signatures of anchoring transactions, by account',
    labelNames: ['account'],
    registers: [registry],
  });
  const refusals = new Counter({
    name: 'proofmark_signing_refusals_total',
    help: 'Requests to sign that were refused; each is logged with its reason',
    registers: [registry],
  });
  return {
    signed: (account, count) => signatures.inc({ account }, count),
    refused: () => refusals.inc(),
  };
}
