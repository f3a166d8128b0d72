import { currentKey, type IssuerState, issuerDecider } from '../../../src/domain/issuer/decider.ts';
import type { IssuerEvent } from '../../../src/domain/issuer/events.ts';
import type { Findings } from '../findings/findings.ts';
import type { FoundRow } from '../rows/found-row.ts';
import { parseObject } from '../rows/parse-object.ts';

/** Decrypts the data of an event; null if its keys are gone. */
export type OpenData = (row: FoundRow) => Promise<Readonly<Record<string, unknown>> | null>;

/** Types of the events that `IssuerAudit` needs. */
export const issuerTypes: ReadonlySet<string> = new Set([
  ...['IssuerKeyPublished', 'IssuerKeyRetired', 'IssuerKeyCompromised'],
  ...['CertificateIssued', 'CertificateRecorded'],
]);

/**
 * Checks the keys of the issuer and the bytes of certificates. The events of the keys can follow each
 * other. Each signed certificate names the key that signed at its position, and the next event records
 * its bytes. No other event records bytes. Add rows in the order of the log.
 */
export class IssuerAudit {
  readonly #findings: Findings;
  readonly #open: OpenData | null;
  #keys: IssuerState = issuerDecider.initial;
  /** A signed certificate whose bytes the next event must record. */
  #issued: FoundRow | null = null;

  /** @param open null if nothing can be decrypted */
  constructor(findings: Findings, open: OpenData | null) {
    this.#findings = findings;
    this.#open = open;
  }

  /** All keys so far, the first one first. */
  get keys(): IssuerState {
    return this.#keys;
  }

  async add(row: FoundRow): Promise<void> {
    const data = parseObject(row.data);
    if (data === null) return; // the audit of the row reports it
    if (row.type === 'CertificateRecorded') return this.#addRecorded(row, data);
    this.end();
    if (row.type === 'CertificateIssued') this.#addIssued(row, data);
    else this.#addKey(row, data);
  }

  /** Reports a last certificate whose bytes are not recorded. Call this after all rows were added. */
  end(): void {
    if (this.#issued === null) return;
    const what = 'no event after this one records the SHA-256 of this certificate';
    this.#fault(this.#issued, what);
    this.#issued = null;
  }

  #addKey(row: FoundRow, data: object): void {
    try {
      const event = { type: row.type, data, recordedAt: row.recorded_at };
      this.#keys = issuerDecider.evolve(this.#keys, event as IssuerEvent & typeof event);
    } catch {
      this.#fault(row, `${row.type} cannot follow the earlier events about the keys of the issuer`);
    }
  }

  #addIssued(row: FoundRow, { issuerKey }: { readonly issuerKey?: unknown }): void {
    if (typeof issuerKey !== 'string') return;
    this.#issued = row;
    const current = currentKey(this.#keys)?.key ?? 'none';
    if (issuerKey === current) return;
    this.#fault(row, `issuerKey: the key is ${issuerKey}, but ${current} was the one that signed`);
  }

  async #addRecorded(row: FoundRow, { sha256 }: { readonly sha256?: unknown }): Promise<void> {
    const issued = this.#issued;
    this.#issued = null;
    if (row.stream !== `certificate-${sha256}` || row.version !== 1) {
      this.#fault(row, 'sha256: the stream of the certificate has another name');
    }
    if (issued === null || issued.position !== row.position - 1) {
      this.#fault(row, 'the event before this one issues no signed certificate');
      return;
    }
    const opened = (await this.#open?.(issued)) ?? null;
    const { pdfDigest } = opened ?? {};
    if (pdfDigest === undefined || pdfDigest === sha256) return;
    this.#fault(row, `sha256: the value is ${sha256}, but the certificate issued has ${pdfDigest}`);
  }

  #fault({ position, stream }: FoundRow, what: string): void {
    const fault = { in: 'references', position, column: 'data', what } as const;
    this.#findings.reportFault(fault, { streams: [stream] });
  }
}
