import { OperatorError } from '../../src/errors/operator-error.ts';
import type { Bundle } from '../../src/verifier/bundle/bundle.ts';
import type { Check } from '../../src/verifier/check/check.ts';
import { checkIssued } from '../../src/verifier/check/check-issued.ts';
import { isSigned } from '../../src/verifier/check/issuer-note.ts';
import type { ReadKey } from '../../src/verifier/log/note-key.ts';
import { askService, readRecorded } from './ask-issued.ts';
import { hashPath } from './hash-path.ts';

/** The certificate, and the service or the file that says whether it was issued. */
interface Given {
  readonly certificate?: string | undefined;
  readonly server: string | undefined;
  readonly recorded: string | undefined;
}

/**
 * Compares the PDF with the issuer's log. Null if the reader names neither service nor file. Log keys
 * are those that the reader trusts.
 */
export async function checkPdf(
  bundle: Bundle,
  { certificate, server, recorded }: Given,
  logKeys: readonly ReadKey[],
): Promise<Check | null> {
  if (server === undefined && recorded === undefined) return null;
  if (certificate === undefined)
    throw new OperatorError('--server and --recorded need --certificate FILE');
  const pdf = await hashPath(certificate);
  const about = { pdf, isSigned: isSigned(bundle) };
  if (server === undefined) return checkIssued(about, await readRecorded(recorded ?? ''), logKeys);
  if (recorded !== undefined)
    throw new OperatorError('give either --server URL or --recorded FILE');
  return checkIssued(about, await askService(server, pdf), logKeys);
}
