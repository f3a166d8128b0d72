import type { Manifest } from './manifest.ts';

/** 2040-01-01, in seconds since 2000-01-01. */
const expiration = 1_262_304_000;

/** A published list of validators, in the form of version 1. */
export function validatorListText(options: {
  readonly publisher: Manifest;
  readonly sequence: number;
  readonly validators: readonly Manifest[];
}): string {
  const { publisher, sequence, validators } = options;
  const blob = Buffer.from(
    JSON.stringify({
      sequence,
      expiration,
      validators: validators.map(({ masterKey, bytes }) => ({
        validation_public_key: masterKey,
        manifest: bytes.toString('base64'),
      })),
    }),
  );
  return JSON.stringify({
    public_key: publisher.masterKey,
    manifest: publisher.bytes.toString('base64'),
    blob: blob.toString('base64'),
    signature: publisher.sign(blob),
    version: 1,
  });
}
