import type { Bundle } from '../bundle/bundle.ts';
import { type Check, check } from './check.ts';

export function checkAddresses({ addresses, anchor }: Bundle): Check {
  const { transactionHash: hash } = anchor;
  const astray = Object.entries(addresses).filter(([, url]) => !url.endsWith(`/${hash}`));
  const names = astray.map(([name]) => name).join(', ');
  return check(
    'addresses',
    astray.length === 0 ? null : `these addresses do not end in the transaction hash: ${names}`,
    'all web addresses in the bundle end in the transaction hash. The websites were not checked',
  );
}
