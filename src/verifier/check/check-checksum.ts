import type { Bundle } from '../bundle/bundle.ts';
import { bundleChecksum } from '../bundle/bundle-checksum.ts';
import { type Check, check } from './check.ts';

export function checkChecksum(bundle: Bundle): Check {
  const damaged = 'the bundle was altered after it was issued';
  return check(
    'checksum',
    bundleChecksum(bundle) === bundle.checksum ? null : damaged,
    'it agrees with the bundle, which is undamaged (anybody can compute it: it does not show who wrote the bundle)',
  );
}
