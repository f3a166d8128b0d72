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
import type { ServerBudget } from './server-budget.ts';

/** Of each server: validations that wait, and manifests asked for until a list is read again. */
const maxWaiting = 500;
const maxAskedKeys = 500;

interface ReceiveDeps {
  readonly feed: Pick<ValidatorFeed, 'manifest'>;
  readonly collected: CollectedValidations;
  readonly publishing: PublishDeps;
  readonly budget: ServerBudget;
}

/**
 * Takes messages of servers: records news in manifests, and collects validations. The manifest of an
 * unknown signing key is asked for once. A server that sends many false signatures or unknown keys
 * uses up its own share alone.
 */
export class ReceivedMessages {
  readonly #deps: ReceiveDeps;
  /**
   * Validations by server, with keys that nobody is known to sign with; their manifests may be on
   * the way.
   */
  readonly #waiting = new Map<string, Validation[]>();
  /** Keys by the server that named them first, lower-case hex. */
  readonly #askedKeys = new Map<string, Set<string>>();
  /** Revision of the known validators at which all waiting validations were tried. */
  #triedAt = -1;

  constructor(deps: ReceiveDeps) {
    this.#deps = deps;
  }

  /** Rejects with `BadEvidence` for a malformed message, and if the store fails. */
  async receive({ server, kind, data }: ValidatorMessage): Promise<void> {
    const { budget, collected } = this.#deps;
    if (!budget.permits(server)) return;
    const bytes = hexToBytes(data);
    if (kind === 'manifest') {
      if ((await this.#learn(bytes)) === 'unsigned') budget.spend(server);
      return;
    }
    const validation = readValidation(bytes);
    const added = collected.add(validation);
    if (added === 'unsigned') budget.spend(server);
    if (added !== 'unknown') return;
    const waiting = this.#waiting.get(server) ?? [];
    this.#waiting.set(server, waiting);
    waiting.push(validation);
    if (waiting.length > maxWaiting) waiting.shift();
    await this.#askManifest(validation.signingKey, server);
  }

  /** Tries waiting validations again, and asks again for keys that nobody was known to sign with. */
  retry(): void {
    this.#askedKeys.clear();
    this.#addWaiting();
  }

  /** Does nothing without news: servers repeat old manifests. */
  #addWaiting(): void {
    const { collected, budget, publishing } = this.#deps;
    const { revision } = publishing.known;
    if (revision === this.#triedAt) return;
    this.#triedAt = revision;
    for (const [server, waiting] of this.#waiting) {
      for (const each of waiting.splice(0)) {
        if (!budget.permits(server)) break;
        const added = collected.add(each);
        if (added === 'unsigned') budget.spend(server);
        if (added === 'unknown') waiting.push(each);
      }
    }
  }

  async #learn(manifest: Uint8Array): Promise<'done' | 'unsigned'> {
    const outcome = await publishManifest(this.#deps.publishing, manifest);
    this.#addWaiting();
    return outcome;
  }

  async #askManifest(signingKey: Uint8Array, server: string): Promise<void> {
    const key = bytesToHex(signingKey);
    if ([...this.#askedKeys.values()].some((keys) => keys.has(key))) return;
    const asked = this.#askedKeys.get(server) ?? new Set();
    if (asked.size >= maxAskedKeys) return;
    this.#askedKeys.set(server, asked.add(key));
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
