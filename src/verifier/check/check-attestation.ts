import { closeTimeIso } from '../../domain/ledger/close-time.ts';
import type { Bundle } from '../bundle/bundle.ts';
import { BadEvidence } from '../evidence/bad-evidence.ts';
import { countValidations } from '../evidence/count-validations.ts';
import { knownPublishers } from '../evidence/known-publishers.ts';
import type { LedgerHeader } from '../evidence/ledger-header.ts';
import { trustedList } from '../evidence/trusted-list.ts';
import { statedPublisher, type VerifiedList } from '../evidence/validator-list.ts';
import { demandQuorum } from '../evidence/verify-attestation.ts';
import {
  type AttestedBundle,
  demandPath,
  headerOf,
  isAttested,
  signedBy,
  validatedBy,
} from './attestation-of.ts';
import { type Check, type CheckName, failed, notChecked, ok } from './check.ts';

/**
 * Checks the way from the transaction to a publisher of validator lists: path, header chain, list
 * and validations. Trusts the well-known publishers of the bundle's network, and those whose master
 * keys are given (upper-case hex). Returns no check for a bundle without an attestation.
 */
export function checkAttestation(bundle: Bundle, givenKeys: readonly string[]): Check[] {
  if (!isAttested(bundle)) return [];
  const chained = tried('header chain', () => checkChain(bundle));
  const ledger = chained.found;
  const listed = ledger
    ? tried('validator list', () => checkList(bundle, ledger, givenKeys))
    : none('validator list', 'the list was not checked, because the header chain does not hold');
  const list = listed.found;
  const counted =
    ledger && list
      ? tried('validations', () => checkValidations(bundle, ledger, list))
      : none('validations', 'they were not counted, because no trusted validator list is known');
  const path = tried('transaction path', () => checkPath(bundle));
  return [path.check, chained.check, listed.check, counted.check];
}

/** True if the checks show that trusted validators signed a ledger with the transaction. */
export function isProvenByValidators(checks: readonly Check[]): boolean {
  return attestationChecks.every((name) =>
    checks.some((one) => one.name === name && one.outcome === 'ok'),
  );
}

export const attestationChecks: readonly CheckName[] = [
  'transaction path',
  'header chain',
  'validator list',
  'validations',
];

interface Tried<Found> {
  readonly check: Check;
  readonly found: Found | null;
}

/** Turns evidence that does not hold into a failed check. */
function tried<Found>(name: CheckName, make: () => Tried<Found>): Tried<Found> {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof BadEvidence)) throw error;
    return { check: failed(name, error.message), found: null };
  }
}

function none(name: CheckName, why: string): Tried<never> {
  return { check: notChecked(name, why), found: null };
}

function checkPath(bundle: AttestedBundle): Tried<null> {
  const header = headerOf(bundle);
  demandPath(bundle, header);
  const detail = `the path leads from the transaction and its metadata to the header of ledger ${header.index}, so the ledger contains them`;
  return { check: ok('transaction path', detail), found: null };
}

function checkChain(bundle: AttestedBundle): Tried<LedgerHeader> {
  const first = headerOf(bundle);
  const last = validatedBy(bundle, first);
  const detail =
    last === first
      ? `the validations are of ledger ${first.index} itself`
      : `the chain leads from ledger ${first.index} to the later ledger ${last.index}: signatures of that one confirm both`;
  return { check: ok('header chain', detail), found: last };
}

function checkList(
  { anchor, attestation }: AttestedBundle,
  ledger: LedgerHeader,
  givenKeys: readonly string[],
): Tried<VerifiedList> {
  const { validatorList: blob } = attestation;
  const known = anchor.standalone
    ? []
    : knownPublishers.filter(({ network }) => network === anchor.network);
  const publisher = statedPublisher(blob);
  const name = known.find(({ key }) => key === publisher)?.name;
  if (name === undefined && givenKeys.length === 0) {
    const kind = anchor.standalone ? 'a standalone ledger' : anchor.network;
    const why = `the list is by the publisher ${publisher}, which is none of the well-known ones of ${kind}. If you trust its lists, use --validator-list-key ${publisher}`;
    return none('validator list', why);
  }
  const keys = [...known.map(({ key }) => key), ...givenKeys];
  const list = trustedList(blob, ledger.closeTime, keys);
  const { sequence, effective, expiration } = list;
  const since = effective === null ? '' : `in force from ${closeTimeIso(effective)}, `;
  const detail =
    `trusted: list ${sequence} of ${name ?? 'the publisher that you named'} (${publisher}), ` +
    `${since}valid until ${closeTimeIso(expiration)}, with ${list.validators.length} validators. ` +
    'You rely on this publisher to name validators that do not lie together';
  return { check: ok('validator list', detail), found: list };
}

function checkValidations(
  bundle: AttestedBundle,
  ledger: LedgerHeader,
  list: VerifiedList,
): Tried<null> {
  const { validations, manifests } = signedBy(bundle);
  const count = countValidations(ledger, validations, list, { newerManifests: manifests });
  demandQuorum(ledger, count);
  const { listed, needed, counted } = count;
  const detail = `${counted.length} of the ${listed} listed validators signed ledger ${ledger.index}; ${needed} are needed`;
  return { check: ok('validations', detail), found: null };
}
