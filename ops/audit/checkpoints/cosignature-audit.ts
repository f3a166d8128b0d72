import { ownSignatures } from '../../../src/transparency-log/cosigning/own-signatures.ts';
import {
  isNamedBy,
  isVerifiable,
  type ReadKey,
  readWitnessKey,
} from '../../../src/verifier/log/note-key.ts';
import type { Policy } from '../../../src/verifier/log/policy.ts';
import { readSignatureLines, readSignedNote } from '../../../src/verifier/log/signed-note.ts';
import { BoundedMap } from '../bounded/bounded-map.ts';
import type { Findings } from '../findings/findings.ts';
import type { Queryable } from '../rows/read-rows.ts';
import { checkpointStream } from './checkpoint-audit.ts';

interface Row {
  readonly number: number | null;
  readonly vkey: string | null;
  readonly lines: string | null;
  readonly note: string | null;
}

const pageSize = 500;
/** Longer than any note, key or line of a cosignature; the rest is not read. */
const mostCharacters = 65_536;
const mostKeys = 1_000;

/**
 * Audits the cosignatures of listed checkpoints: each must belong to a listed checkpoint, be of the
 * key beside it, and verify with this key if its type is known here. Returns what was not compared,
 * a line each.
 * @param policy witnesses that the auditor knows; null: keys of witnesses are not compared
 */
export async function auditCosignatures(
  database: Queryable,
  { findings, policy }: { readonly findings: Findings; readonly policy: Policy | null },
): Promise<readonly string[]> {
  const known = policy && new Set(policy.witnesses.map(({ key }) => key.vkey));
  const parseKey = rememberKeys();
  let [strangers, unknown] = [0, 0];
  await reportUnreadable(database, findings);
  for await (const row of readRows(database)) {
    const name = `the cosignature of ${nameOf(row.vkey)} under checkpoint ${row.number}`;
    const fault = (column: string, what: string) =>
      findings.reportFault(
        { in: 'checkpoints', position: null, column, what: `${name} ${what}` },
        { streams: [checkpointStream(row.number)] },
      );
    findings.compared.cosignatures += 1;
    const key = parseKey(row.vkey ?? '');
    if (key === null) {
      fault('vkey', 'has no key of a witness beside it (NAME+ID+KEY)');
      continue;
    }
    if (known !== null && !known.has(key.vkey)) strangers += 1;
    if (row.note === null) {
      fault('number', 'is of a checkpoint that is not listed');
      continue;
    }
    const signatures = readSignatureLines(row.lines ?? '');
    if (signatures === null || !signatures.every((each) => isNamedBy(each, key))) {
      fault('lines', 'is not a signature line with the name and id of its key');
      continue;
    }
    const text = readSignedNote(row.note)?.text ?? '';
    const own = ownSignatures(key, { text, signatures });
    if (!isVerifiable(key)) unknown += 1;
    else if (own.length < signatures.length) fault('lines', 'does not verify with its key');
  }
  if (findings.compared.cosignatures === 0) return [];
  return [
    ...(known === null
      ? [
          'known witnesses (no --policy): cosignatures were verified with the keys stored beside them',
        ]
      : []),
    ...(strangers > 0
      ? [
          `${strangers} cosignatures of witnesses that --policy does not name: nothing is known of their keys`,
        ]
      : []),
    ...(unknown > 0
      ? [`the signatures of ${unknown} cosignatures: this release does not know their type`]
      : []),
  ];
}

/** Reports rows that have no place in the order of the others. */
async function reportUnreadable(database: Queryable, findings: Findings): Promise<void> {
  const { rows } = await database.query<{ times: number }>(
    `SELECT count(*) AS times FROM checkpoint_cosignatures
     WHERE number IS NULL OR vkey IS NULL OR length(vkey) > ${mostCharacters}`,
  );
  const times = Number(rows[0]?.times ?? 0);
  if (times === 0) return;
  const what = `rows in the list of cosignatures without a number, or without a usable key: ${times}`;
  const at = { in: 'checkpoints', position: null, column: 'number,vkey' } as const;
  findings.reportFault({ ...at, what, times });
}

async function* readRows(database: Queryable): AsyncGenerator<Row> {
  for (let last: readonly [number | string, string] = ['-9223372036854775808', '']; ; ) {
    const { rows } = await database.query<Row>(
      `SELECT c.number, c.vkey, left(c.lines, ${mostCharacters}) AS lines,
         left(p.note, ${mostCharacters}) AS note
       FROM checkpoint_cosignatures c LEFT JOIN published_checkpoints p ON p.number = c.number
       WHERE (c.number, c.vkey) > ($1, $2) AND length(c.vkey) <= ${mostCharacters}
       ORDER BY c.number, c.vkey LIMIT ${pageSize}`,
      [...last],
    );
    yield* rows;
    const final = rows.at(-1);
    if (final === undefined || final.number === null || final.vkey === null) return;
    last = [final.number, final.vkey];
  }
}

/** The same keys sign thousands of checkpoints. */
function rememberKeys(): (vkey: string) => ReadKey | null {
  const keys = new BoundedMap<string, ReadKey | null>(mostKeys);
  return (vkey) => {
    const known = keys.get(vkey);
    if (known !== undefined) return known;
    const key = readWitnessKey(vkey);
    keys.set(vkey, key);
    return key;
  };
}

function nameOf(vkey: string | null): string {
  return vkey?.split('+')[0]?.slice(0, 100) || 'an unnamed witness';
}
