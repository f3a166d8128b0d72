import type { JsonObject } from '../codec/json.ts';
import { type Manifest, shownKey } from '../validators/manifest.ts';
import type { SentValidation } from '../validators/validators.ts';

/** Message of the `validations` stream. `ledger_index` is a string in version 1 of the API. */
export function validationMessage(
  { validation, manifest }: SentValidation,
  apiVersion: number,
): JsonObject {
  const { amendments, serverVersion, ledgerIndex, flags } = validation;
  return {
    ...(amendments.length === 0 ? {} : { amendments }),
    cookie: String(validation.cookie),
    data: validation.data,
    flags,
    full: flags % 2 === 1,
    ledger_hash: validation.ledgerHash,
    ledger_index: apiVersion === 1 ? String(ledgerIndex) : ledgerIndex,
    master_key: shownKey(manifest.masterKey),
    ...(serverVersion === undefined ? {} : { server_version: String(serverVersion) }),
    signature: validation.signature,
    signing_time: validation.signingTime,
    type: 'validationReceived',
    validated_hash: validation.validatedHash,
    validation_public_key: shownKey(manifest.signingKey),
  };
}

/** Message of the `manifests` stream. */
export function manifestMessage(manifest: Manifest): JsonObject {
  return {
    manifest: manifest.bytes.toString('hex').toUpperCase(),
    master_key: shownKey(manifest.masterKey),
    master_signature: manifest.masterSignature,
    seq: manifest.sequence,
    signature: manifest.signature,
    signing_key: shownKey(manifest.signingKey),
    type: 'manifestReceived',
  };
}
