import { shownKey } from '../../validators/manifest.ts';
import type { Command } from '../command.ts';
import { invalidParams } from '../rpc-error.ts';

const nodeKey = /^n[1-9A-HJ-NP-Za-km-z]{51}$/;

/** The present manifest of a validator, by its master key or its signing key. */
export const manifest: Command = ({ validators }, { parameters }) => {
  const { public_key: requested } = parameters;
  if (requested === undefined) throw invalidParams("Missing field 'public_key'.");
  if (typeof requested !== 'string' || !nodeKey.test(requested)) {
    throw invalidParams('Invalid parameters.');
  }
  const found = validators.manifests.find(({ masterKey, signingKey }) =>
    [masterKey, signingKey].some((key) => shownKey(key) === requested),
  );
  if (found === undefined) {
    return { details: { ephemeral_key: requested, master_key: requested }, requested };
  }
  return {
    details: {
      domain: '',
      ephemeral_key: shownKey(found.signingKey),
      master_key: shownKey(found.masterKey),
      seq: found.sequence,
    },
    manifest: found.bytes.toString('base64'),
    requested,
  };
};
