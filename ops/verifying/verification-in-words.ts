import type { Bundle } from '../../src/verifier/bundle/bundle.ts';
import type { Check, CheckName, CheckOutcome } from '../../src/verifier/check/check.ts';
import {
  attestationChecks,
  isProvenByValidators,
} from '../../src/verifier/check/check-attestation.ts';
import { isStatedByIssuer } from '../../src/verifier/check/check-issuer.ts';
import { printable } from '../terminal/printable.ts';

/** The outcome of all checks together. */
interface Verdict {
  /** No check failed, and every check that a proof of the file needs was made. */
  readonly proven: boolean;
  readonly conclusion: string;
}

/** Each check on its own line, then the verdict. */
export function verificationInWords(checks: readonly Check[], { conclusion }: Verdict): string {
  const lines = checks.map(
    ({ name, outcome, detail }) => `${words[outcome]}  ${name.padEnd(20)}  ${printable(detail)}`,
  );
  return [...lines, '', conclusion].join('\n');
}

const words: Readonly<Record<CheckOutcome, string>> = {
  ok: 'ok         ',
  failed: 'FAILED     ',
  notChecked: 'not checked',
};

/** A server of the ledger and the ledger's validators can each show that the ledger is valid. */
const ledgerChecks: readonly CheckName[] = ['network', 'validated ledger', 'anchored transaction'];

/** Checks without which the time is still proven, but not the account or any other statement. */
const notNeeded: readonly CheckName[] = [
  'account',
  'log entry',
  'log checkpoint',
  'log witnesses',
  'timestamp authority',
  'issuer signature',
  'issued certificate',
  'statements',
  'pages',
];

/** @param knowsLogKeys true if keys of the log were given for the checks */
export function conclude(
  { anchor, commitment }: Bundle,
  checks: readonly Check[],
  { knowsLogKeys }: { readonly knowsLogKeys: boolean },
): Verdict {
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  if (failed.length > 0) {
    const found = `NOT PROVEN: ${these(failed)} FAILED: ${namesOf(failed)}.`;
    const conclusion = `${found} Do not rely on this proof. Each FAILED line gives the reason.`;
    return { proven: false, conclusion };
  }
  const byValidators = isProvenByValidators(checks);
  const byServer = ledgerChecks.every((name) =>
    checks.some((one) => one.name === name && one.outcome === 'ok'),
  );
  const replaced = [
    ...(byValidators ? ledgerChecks : []),
    ...(byServer ? attestationChecks : []),
    ...notNeeded,
  ];
  const open = checks.filter(
    ({ name, outcome }) => outcome === 'notChecked' && !replaced.includes(name),
  );
  if (open.length > 0) {
    const found = `Not proven yet: no check failed, but ${these(open)} could not be made: ${namesOf(open)}.`;
    const conclusion = `${found} Each line "not checked" says what is missing.`;
    return { proven: false, conclusion };
  }
  const { ledgerIndex, network, closeTimeIso, standalone } = anchor;
  const ledger = `ledger ${ledgerIndex} of ${standalone ? 'a standalone ledger' : network}`;
  const anchored = commitment.commitment === null ? 'SHA-256' : 'commitment';
  const conclusion =
    `Proven: this file existed, byte for byte, no later than ${closeTimeIso}. Its ${anchored} is in ` +
    `${ledger}, which closed at that time (ledger close times are rounded). Nothing more is proven: ` +
    `names, dates and other statements in the bundle are ${
      isStatedByIssuer(checks) ? statedByIssuer : 'claims, and not verified.'
    }`;
  const has = (wanted: CheckName, expected: CheckOutcome) =>
    checks.some(({ name, outcome }) => name === wanted && outcome === expected);
  const isOpen = (wanted: CheckName) => has(wanted, 'notChecked');
  const remarks = [
    byValidators ? validatorsWord : '',
    has('timestamp authority', 'ok') ? authoritysWord : '',
    isOpen('account') ? byAnybody : '',
    knowsLogKeys && isOpen('log checkpoint') ? unrecorded : '',
    standalone ? privateLedger : network === 'testnet' ? testNetwork : '',
  ].join('');
  return { proven: true, conclusion: `${conclusion}${remarks}` };
}

const statedByIssuer =
  'stated by the issuer, who signed them: the line "issuer signature" names the key.';
const validatorsWord =
  ' Signatures of the ledger\'s validators confirm this ledger: the line "validator list" names the publisher whose list of them was trusted.';
const authoritysWord =
  ' A time-stamping authority confirms it too, of a later time: the line "timestamp authority" has both.';
const byAnybody =
  " The account that anchored the file was not checked: name the issuer's accounts with --account.";
const unrecorded =
  ' The record of this proof in the log was not verified: the line "log checkpoint" gives the reason.';
const privateLedger =
  ' Test only: a standalone ledger has no evidential value, because nobody else keeps it.';
const testNetwork =
  ' Test only: the test network is reset at times, and its records are then lost.';

function these(checks: readonly Check[]): string {
  return checks.length === 1 ? 'this check' : 'these checks';
}

function namesOf(checks: readonly Check[]): string {
  return checks.map(({ name }) => name).join(', ');
}
