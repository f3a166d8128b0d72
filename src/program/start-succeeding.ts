import { dueStampedSuccessors, dueSuccessors } from '../../projections/evidence/query.ts';
import { loggable } from '../errors/loggable.ts';
import type { CertificateIssuing } from '../http/certificates/certificate-issuing.ts';
import { runSucceeding } from '../reactors/succeeding/run-succeeding.ts';
import type { ReadModels } from '../subscriptions/projection.ts';
import type { WorkLocks } from '../subscriptions/work-locks.ts';
import { certificateAddresses } from '../views/certificate-addresses.ts';
import type { Program } from './program.ts';

interface SucceedingDeps {
  readonly db: ReadModels;
  /** True if certificates may have time-stamp tokens. */
  readonly areStamped: boolean;
  readonly issueCertificate: CertificateIssuing;
  /** URL of the service from outside. */
  readonly publicUrl: () => string;
}

/**
 * Starts to issue successors of certificates, in processes that make certificates: those with the
 * role `api`.
 */
export function startSucceeding(
  { log, parts }: Pick<Program, 'log' | 'parts'>,
  { db, areStamped, issueCertificate, publicUrl: urlOf }: SucceedingDeps,
  locks: Pick<WorkLocks, 'hold' | 'release'>,
): void {
  const onLeftover = (trouble: unknown) =>
    log.warn(
      { err: loggable(trouble) },
      'unneeded certificate could not be deleted; the sweep deletes it later',
    );
  const stop = runSucceeding({
    locks,
    due: (limit, except) =>
      areStamped ? dueStampedSuccessors(db, limit, except) : dueSuccessors(db, limit, except),
    issue: (proof) => {
      const publicUrl = urlOf();
      const addressesOf = (transaction: Parameters<AddressesOf>[0]) =>
        certificateAddresses({ ...transaction, publicUrl });
      const order = { ...proof, addressesOf };
      return issueCertificate(order, { actor: 'certificates' }, onLeftover);
    },
    onError: (err, proof) =>
      log.warn(
        { err, proofId: proof?.proofId },
        'successor of a certificate could not be issued; retrying later',
      ),
  });
  parts.add('successors of certificates', stop);
}

type AddressesOf = Parameters<CertificateIssuing>[0]['addressesOf'];
