import type { CheckName, CheckOutcome } from '../../../src/verifier/check/check.ts';

/** A conformance vector, a line of `docs/vectors/` (its README describes the members). */
export interface Vector extends VectorInput {
  readonly expect: Expectation;
}

export interface VectorInput {
  readonly id: string;
  /** A sentence on the content. */
  readonly about: string;
  readonly bundle?: string;
  /** A bundle whose bytes are not UTF-8. */
  readonly bundleBase64?: string;
  readonly certificateBase64?: string;
  readonly options: VectorOptions;
}

export interface VectorOptions {
  readonly fileHash?: string;
  readonly accounts?: readonly string[];
  readonly logKeys?: readonly string[];
  readonly validatorListKeys?: readonly string[];
  readonly issuerKeys?: readonly string[];
  /** Text of a tlog-policy. */
  readonly policy?: string;
}

/** Verdict of every conforming verifier. */
export type Expectation =
  | { readonly result: 'refused'; readonly kind: 'bundle' | 'certificate' | 'options' }
  | {
      readonly result: 'proven' | 'notProvenYet' | 'notProven';
      readonly checks: Readonly<Partial<Record<CheckName, CheckOutcome>>>;
    };

/** Bytes of the vector's bundle or certificate. */
export function bytesOf({ bundle, bundleBase64, certificateBase64 }: VectorInput): Uint8Array {
  if (bundle !== undefined) return new TextEncoder().encode(bundle);
  return new Uint8Array(Buffer.from(bundleBase64 ?? certificateBase64 ?? '', 'base64'));
}
