import type { Bundle } from '../bundle/bundle.ts';
import { bundleChecksum } from '../bundle/bundle-checksum.ts';
import { type Check, check } from './check.ts';

export function checkChecksum(bundle: Bundle): Check {
  const damaged = 'the checksum does not match the bundle: the bundle was damaged or changed';
  return check(
    'checksum',
    bundleChecksum(bundle) === bundle.checksum ? null : damaged,
    'the checksum matches the bundle. It detects damage, not forgery: anybody can compute it',
  );
}
