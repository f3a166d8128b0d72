/** One check of a bundle. */
export interface Check {
  readonly name: string;
  readonly outcome: 'ok' | 'failed' | 'notChecked';
  /** Finding or reason, for people. It may quote text from the bundle, which nobody has checked. */
  readonly detail: string;
}

/** The result of verifying a bundle. */
export interface Verification {
  /** `notProven`: a check failed. `notProvenYet`: none failed, but a needed one could not be made. */
  readonly result: 'proven' | 'notProvenYet' | 'notProven';
  /** True only for the result `proven`. */
  readonly proven: boolean;
  /** The result in words. */
  readonly conclusion: string;
  /** `statedByIssuer` if a trusted key of the issuer signed the names and dates of the bundle. */
  readonly statements: 'statedByIssuer' | 'claimed';
  readonly checks: readonly Check[];
  /** Names and numbers of the file, as the bundle states them. */
  readonly file: Readonly<Record<string, unknown>>;
  /** Ledger and transaction, as the bundle states them. */
  readonly anchor: Readonly<Record<string, unknown>>;
}

/** Knowledge of the reader, from other sources than the bundle. */
export interface TrustOptions {
  /** Accounts that may have anchored the proof (r…). */
  readonly accounts?: readonly string[];
  /** Keys of the issuer's log, of all epochs: NAME+ID+KEY. */
  readonly logKeys?: readonly string[];
  /** Text of a tlog-policy: trusted witnesses and their quorum. */
  readonly policy?: string;
  /** Master keys, in hexadecimal, of publishers of validator lists, besides the well-known ones. */
  readonly validatorListKeys?: readonly string[];
  /** Keys of trusted issuers: NAME+ID+KEY. */
  readonly issuerKeys?: readonly string[];
  /** The service's answer from `/log/certificates/{sha256}`, to compare a certificate with. */
  readonly recorded?: unknown;
}

/** A bundle that was read. Only the verifier looks inside. */
export interface ReadBundle {
  readonly bundle: unknown;
  readonly isPrinted: boolean;
  /** SHA-256 of the certificate, lower-case hex; null for a bundle. */
  readonly pdf: string | null;
}

/** Answers that somebody was asked for. Only the verifier looks inside. */
export interface Findings {
  readonly ledger?: unknown;
  readonly timestamp?: unknown;
  readonly issued?: unknown;
}

/** Evidence or an option cannot be used. */
export interface Refused {
  readonly refused: 'evidence' | 'options';
  readonly message: string;
}

/** The verifier of the service, built for Node, browsers and workers. */
export interface Verifier {
  /** Reads a bundle (JSON) or certificate (PDF); nothing in it is verified yet. */
  read(bytes: Uint8Array, kind: EvidenceKind | null): Promise<ReadBundle | Refused>;
  /** Makes every check. `fileHash` is the SHA-256 of the file, in hexadecimal; null for none. */
  judge(
    read: ReadBundle,
    fileHash: string | null,
    options: TrustOptions,
    findings: Findings,
  ): Verification | Refused;
}

/** Asks servers, and checks signatures of time-stamping authorities; in Node only. */
export interface Asking {
  askLedger(url: string, read: ReadBundle): Promise<unknown>;
  askService(url: string, read: ReadBundle): Promise<unknown>;
  /** `authorities` are trusted certificates in PEM. */
  checkToken(authorities: string, read: ReadBundle): Promise<unknown | Refused>;
}

export type EvidenceKind = 'bundle' | 'certificate';
