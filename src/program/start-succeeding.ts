import { dueStampedSuccessors, dueSuccessors } from '../../projections/evidence/query.ts';
import { type IssuingDeps, issueCertificate } from '../commands/issue-certificate.ts';
import { loggable } from '../errors/loggable.ts';
import { runSucceeding } from '../reactors/succeeding/run-succeeding.ts';
import type { ReadModels } from '../subscriptions/projection.ts';
import type { WorkLocks } from '../subscriptions/work-locks.ts';
import { certificateAddresses } from '../views/certificate-addresses.ts';
import type { Program } from './program.ts';

interface SucceedingDeps extends Omit<IssuingDeps, 'onLeftover'> {
  readonly db: ReadModels;
  /** URL of the service from outside. */
  readonly publicUrl: () => string;
}

/**
 * Starts to issue successors of certificates, in processes that make certificates: those with the
 * role `api`.
 */
export function startSucceeding(
  { log, parts }: Pick<Program, 'log' | 'parts'>,
  services: SucceedingDeps,
  locks: Pick<WorkLocks, 'hold' | 'release'>,
): void {
  const { db } = services;
  const onLeftover = (trouble: unknown) =>
    log.warn(
      { err: loggable(trouble) },
      'unneeded certificate could not be deleted; the sweep deletes it later',
    );
  const stop = runSucceeding({
    locks,
    due: (limit, except) =>
      services.timestamps === null
        ? dueSuccessors(db, limit, except)
        : dueStampedSuccessors(db, limit, except),
    issue: (proof) => {
      const publicUrl = services.publicUrl();
      const addressesOf = (transaction: Parameters<AddressesOf>[0]) =>
        certificateAddresses({ ...transaction, publicUrl });
      const order = { ...proof, addressesOf };
      return issueCertificate({ ...services, onLeftover }, order, { actor: 'certificates' });
    },
    onError: (err, proof) =>
      log.warn(
        { err, proofId: proof?.proofId },
        'successor of a certificate could not be issued; retrying later',
      ),
  });
  parts.add('successors of certificates', stop);
}

type AddressesOf = Parameters<typeof issueCertificate>[1]['addressesOf'];
