import type { Bundle } from '../bundle/bundle.ts';
import { type Check, check } from './check.ts';

export function checkAddresses({ addresses, anchor }: Bundle): Check {
  const { transactionHash: hash } = anchor;
  const astray = Object.entries(addresses).filter(([, url]) => !url.endsWith(`/${hash}`));
  return check(
    'addresses',
    astray.length === 0 ? null : `${astray.map(([name]) => name).join()}: not of this transaction`,
    'all of them end in this transaction (whose sites they are is not checked)',
  );
}
