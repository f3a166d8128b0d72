import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import type { ValidatorFeed, ValidatorMessage } from '../../ledger/validator-feed.ts';
import { BadEvidence } from '../../verifier/evidence/bad-evidence.ts';
import { nodeKey } from '../../verifier/evidence/base58.ts';
import { decodeBase64 } from '../../verifier/evidence/base64.ts';
import { maxManifestBytes } from '../../verifier/evidence/limits.ts';
import { isSignedManifest, readManifest } from '../../verifier/evidence/manifest.ts';
import { readValidation, type Validation } from '../../verifier/evidence/validation.ts';
import type { CollectedValidations } from './collected-validations.ts';
import { type PublishDeps, publishManifest } from './publish-validators.ts';

const maxWaiting = 1_000;
/** Manifests of unknown signing keys that are requested at most until a list is read again. */
const maxAskedKeys = 1_000;

interface ReceiveDeps {
  readonly feed: Pick<ValidatorFeed, 'manifest'>;
  readonly collected: CollectedValidations;
  readonly publishing: PublishDeps;
}

/**
 * Takes messages of servers: records news in manifests, and collects validations. The manifest of an
 * unknown signing key is asked for once.
 */
export class ReceivedMessages {
  readonly #deps: ReceiveDeps;
  /** Validations with keys that nobody is known to sign with; their manifests may be on the way. */
  readonly #waiting: Validation[] = [];
  readonly #askedKeys = new Set<string>();

  constructor(deps: ReceiveDeps) {
    this.#deps = deps;
  }

  /** Rejects with `BadEvidence` for a malformed message, and if the store fails. */
  async receive(message: ValidatorMessage): Promise<void> {
    const bytes = hexToBytes(message.data);
    if (message.kind === 'manifest') return this.#learn(bytes);
    const validation = readValidation(bytes);
    if (this.#deps.collected.add(validation)) return;
    this.#waiting.push(validation);
    if (this.#waiting.length > maxWaiting) this.#waiting.shift();
    await this.#askManifest(validation.signingKey);
  }

  /** Tries waiting validations again, and asks again for keys that nobody was known to sign with. */
  retry(): void {
    this.#askedKeys.clear();
    this.#addWaiting();
  }

  #addWaiting(): void {
    const { collected } = this.#deps;
    for (const each of this.#waiting.splice(0)) if (!collected.add(each)) this.#waiting.push(each);
  }

  async #learn(manifest: Uint8Array): Promise<void> {
    await publishManifest(this.#deps.publishing, manifest);
    this.#addWaiting();
  }

  async #askManifest(signingKey: Uint8Array): Promise<void> {
    const key = bytesToHex(signingKey);
    if (this.#askedKeys.has(key) || this.#askedKeys.size >= maxAskedKeys) return;
    this.#askedKeys.add(key);
    const { feed } = this.#deps;
    const manifest = await feed.manifest(nodeKey(signingKey), (text) => names(text, signingKey));
    if (manifest === null) return;
    await this.#learn(decodeBase64(manifest, maxManifestBytes, 'a manifest'));
  }
}

/** True for a manifest (base64) that names this signing key, with signatures that hold. */
function names(text: string, signingKey: Uint8Array): boolean {
  try {
    const manifest = readManifest(decodeBase64(text, maxManifestBytes, 'a manifest'));
    const named = manifest.signing && bytesToHex(manifest.signing.key);
    return named === bytesToHex(signingKey) && isSignedManifest(manifest);
  } catch (error) {
    if (error instanceof BadEvidence) return false;
    throw error;
  }
}
