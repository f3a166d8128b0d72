import { bytesToHex } from '@noble/hashes/utils.js';
import type { LedgerAttested } from '../../../src/domain/attestation/events.ts';
import { createValidationCheck } from '../../../src/reactors/attesting/is-signed-validation.ts';
import { decodeBase64 } from '../../../src/verifier/evidence/base64.ts';
import { quorum } from '../../../src/verifier/evidence/count-validations.ts';
import type { LedgerHeader } from '../../../src/verifier/evidence/ledger-header.ts';
import { maxManifestBytes, maxValidationBytes } from '../../../src/verifier/evidence/limits.ts';
import { isInForce } from '../../../src/verifier/evidence/list-blob.ts';
import { readManifest } from '../../../src/verifier/evidence/manifest.ts';
import { type SigningKeys, signingKeys } from '../../../src/verifier/evidence/signing-keys.ts';
import { readValidation } from '../../../src/verifier/evidence/validation.ts';
import type { VerifiedList } from '../../../src/verifier/evidence/validator-list.ts';

/** Sets of keys that are kept: manifests are verified once for each. */
const keptKeys = 64;

/** Counts recorded validations by recorded lists whose signatures hold. */
export class RecordedQuorums {
  readonly #lists = new Map<string, VerifiedList>();
  readonly #keys = new Map<string, SigningKeys>();
  readonly #isSigned = createValidationCheck();

  addList(list: VerifiedList): void {
    this.#lists.set(`${list.publisherKey} ${list.sequence}`, list);
  }

  /** Reasons why the validations are no quorum of one of the lists that the event names. */
  faultsIn(
    { index, hash, closeTime }: LedgerHeader,
    { validations, manifests, validatorLists }: LedgerAttested['data'],
  ): readonly string[] {
    const signed = new Set(
      validations
        .map((text) => readValidation(decodeBase64(text, maxValidationBytes, 'a validation')))
        .filter((one) => one.isFull && one.ledgerIndex === index)
        .filter((one) => bytesToHex(one.ledgerHash) === hash && this.#isSigned(one))
        .map(({ signingKey }) => bytesToHex(signingKey)),
    );
    if (validatorLists.length === 0) return [`no validator list is named for ledger ${index}`];
    return validatorLists.flatMap(({ publisherKey, sequence }) => {
      const name = `${publisherKey} ${sequence}`;
      const list = this.#lists.get(name);
      if (list === undefined)
        return [`validator list ${sequence} of ${publisherKey} is not on record`];
      if (!isInForce(list, closeTime)) {
        return [
          `validator list ${sequence} of ${publisherKey} was not in force when ledger ${index} closed`,
        ];
      }
      const keys = this.#keysOf(name, list, manifests);
      const masters = new Set([...signed].map((key) => keys.masterOf(key)));
      masters.delete(null);
      const listed = list.validators.length;
      if (masters.size >= quorum(listed)) return [];
      return [
        `${masters.size} of the ${listed} validators of list ${sequence} of ${publisherKey} signed ledger ${index}, but ${quorum(listed)} are needed`,
      ];
    });
  }

  #keysOf(name: string, list: VerifiedList, manifests: readonly string[]): SigningKeys {
    const id = [name, ...manifests].join(' ');
    const known = this.#keys.get(id);
    if (known !== undefined) return known;
    const newer = manifests.map((one) => {
      return readManifest(decodeBase64(one, maxManifestBytes, 'a manifest'));
    });
    const keys = signingKeys(list, newer);
    if (this.#keys.size >= keptKeys) this.#keys.clear();
    this.#keys.set(id, keys);
    return keys;
  }
}
