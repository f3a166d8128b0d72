import type pg from 'pg';
import { leafHash, leafInputOf } from '../../src/event-store/leaf.ts';
import type { EventRow } from '../../src/event-store/stored-event.ts';

/** Draws whole numbers from 0 up to `count - 1`. */
export interface Draw {
  below(count: number): number;
}

const columns = [
  ...['event_id', 'organisation_id', 'stream', 'version', 'type', 'schema', 'recorded_at'],
  ...['data', 'meta', 'leaf'],
] as const;

/** Texts that are not objects in RFC 8785 form. */
const badTexts = ['', '{', '[]', '5', 'null', '{"a": 1}', '{"b":1,"a":2}'] as const;

/** Makes one random change in a transaction; returns its description. Rows up to `size` are published. */
export async function mutateRows(
  client: pg.ClientBase,
  random: Draw,
  { size, beyond }: { readonly size: number; readonly beyond: number },
): Promise<string> {
  const any = () => 1 + random.below(size + beyond);
  const published = () => 1 + random.below(size);
  const change = async (text: string, ...values: unknown[]) => {
    const { rowCount } = await client.query(text, values);
    if (rowCount === 0) throw new Error(`${text} changes nothing`);
  };
  const row = async (position: number) => {
    const { rows } = await client.query('SELECT * FROM events WHERE position = $1', [position]);
    return rows[0] as EventRow;
  };
  switch (random.below(15)) {
    case 0:
    case 1:
    case 2: {
      const [position, column] = [any(), columns[random.below(columns.length)] ?? 'data'];
      const value = altered((await row(position))[column], random);
      await change(`UPDATE events SET ${column} = $2 WHERE position = $1`, position, value);
      return `column ${column} of ${position}`;
    }
    case 3: {
      // An attacker who recomputes the leaf as well.
      const [position, column] = [published(), columns[random.below(columns.length - 1)] ?? 'data'];
      const before = await row(position);
      const changed = { ...before, [column]: altered(before[column], random) };
      const leaf = leafHash(leafInputOf(changed));
      const text = `UPDATE events SET ${column} = $2, leaf = $3 WHERE position = $1`;
      await change(text, position, changed[column], leaf);
      return `leaf-too ${column} of ${position}`;
    }
    case 4: {
      const position = any();
      await change('DELETE FROM events WHERE position = $1', position);
      return `delete ${position}`;
    }
    case 5: {
      const position = published();
      await change('UPDATE events SET position = position + 100000 WHERE position >= $1', position);
      await change('UPDATE events SET position = position - 99999 WHERE position > 100000');
      await change(
        `INSERT INTO events SELECT $1, organisation_id, 'inserted-one', 1, 'x' || event_id, type,
           schema, recorded_at, data, meta, leaf FROM events WHERE position = $2`,
        position,
        position + 1,
      );
      await change('UPDATE log_head SET position = position + 1');
      return `insert ${position}`;
    }
    case 6: {
      const [one, two] = [published(), published()];
      const other = one === two ? (one % size) + 1 : two;
      await change('UPDATE events SET position = -1 WHERE position = $1', one);
      await change('UPDATE events SET position = $1 WHERE position = $2', one, other);
      await change('UPDATE events SET position = $1 WHERE position = -1', other);
      return `swap ${one} and ${other}`;
    }
    case 7: {
      const by = 1 + random.below(3);
      if (random.below(3) === 0) await change('DELETE FROM log_head');
      else await change(`UPDATE log_head SET position = position ${by % 2 ? '+' : '-'} ${by}`);
      return `head ${by}`;
    }
    case 8: {
      const [number, column] = [1 + random.below(3), random.below(2) === 0 ? 'note' : 'vkeys'];
      const { rows } = await client.query(
        `SELECT ${column} AS value FROM published_checkpoints WHERE number = $1`,
        [number],
      );
      const value = alteredText(rows[0].value, random);
      // Columns generated from the note may refuse the value.
      const text = `UPDATE published_checkpoints SET ${column} = $2 WHERE number = $1`;
      await client.query('SAVEPOINT before');
      await change(text, number, value).catch(async () => {
        await client.query('ROLLBACK TO before');
        await change('DELETE FROM published_checkpoints WHERE number = $1', number);
      });
      return `checkpoint ${column} of ${number}`;
    }
    case 9: {
      const { rows } = await client.query(
        'SELECT position FROM events WHERE organisation_id IS NOT NULL ORDER BY position',
      );
      const { position } = rows[random.below(rows.length)];
      await change('UPDATE events SET organisation_id = NULL WHERE position = $1', position);
      return `ownerless ${position}`;
    }
    case 10: {
      const [position, column] = [any(), columns[random.below(columns.length)] ?? 'data'];
      if (column === 'organisation_id') break;
      await change(`UPDATE events SET ${column} = NULL WHERE position = $1`, position);
      return `null ${column} of ${position}`;
    }
    case 11: {
      const [position, column] = [any(), random.below(2) === 0 ? 'data' : 'meta'];
      const text = badTexts[random.below(badTexts.length)];
      await change(`UPDATE events SET ${column} = $2 WHERE position = $1`, position, text);
      return `text ${column} of ${position}: ${text}`;
    }
    case 12: {
      const { rows } = await client.query(
        'SELECT position FROM events WHERE version = 1 ORDER BY position',
      );
      const { position } = rows[random.below(rows.length)];
      await change('DELETE FROM events WHERE position = $1', position);
      return `first ${position}`;
    }
    case 13: {
      const purpose = random.below(2) === 0 ? 'data' : 'index';
      const texts = [
        'UPDATE data_keys SET wrapped = set_byte(wrapped, 19, 255 - get_byte(wrapped, 19)) WHERE purpose = $1',
        'UPDATE data_keys SET wrapped = NULL WHERE purpose = $1',
        "UPDATE data_keys SET wrapped = '' WHERE purpose = $1",
        "UPDATE data_keys SET key_id = key_id || 'x' WHERE purpose = $1",
        "UPDATE data_keys SET purpose = 'x' WHERE purpose = $1",
        'DELETE FROM data_keys WHERE purpose = $1',
      ];
      const text = texts[random.below(texts.length)] ?? '';
      await change(text, purpose);
      return `keys ${text} ${purpose}`;
    }
    default:
  }
  const number = 1 + random.below(3);
  const texts = [
    ['renumber', 'UPDATE published_checkpoints SET number = number + 5 WHERE number = $1'],
    ['forget', 'DELETE FROM published_checkpoints WHERE number = $1'],
  ] as const;
  const [name, text] = texts[random.below(texts.length)] ?? texts[0];
  await change(text, number);
  return `${name} checkpoint ${number}`;
}

/** Changes a stored tile or the stored checkpoint. */
export function mutateFiles(files: Map<string, Buffer>, random: Draw): string {
  const names = [...files.keys()];
  const name = names[random.below(names.length)] ?? '';
  const bytes = Buffer.from(files.get(name) ?? '');
  const at = random.below(bytes.length);
  switch (random.below(4)) {
    case 0:
      files.set(name, bytes.subarray(0, at));
      return `cut ${name}`;
    case 1: {
      const others = names.filter((other) => !files.get(other)?.equals(bytes));
      const other = others[random.below(others.length)] ?? '';
      if (name.startsWith('checkpoints/') || other.startsWith('checkpoints/')) break;
      files.set(name, files.get(other) ?? bytes);
      files.set(other, bytes);
      return `exchange ${name} ${other}`;
    }
    case 2:
      if (name.startsWith('checkpoints/')) break;
      files.delete(name);
      return `remove ${name}`;
    default:
  }
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
  files.set(name, bytes);
  return `bit ${name}`;
}

export function altered(value: string | number | Buffer | null, random: Draw): unknown {
  if (value === null) return '01ARZ3NDEKTSV4RRFFQ69G5FAV';
  if (typeof value === 'number') return value + 1 + random.below(3);
  if (typeof value === 'string') return alteredText(value, random);
  const bytes = Buffer.from(value);
  const at = random.below(bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
  return bytes;
}

function alteredText(text: string, random: Draw): string {
  const at = random.below(text.length);
  const letter = text[at] === 'Q' ? 'R' : 'Q';
  return [
    text.slice(0, at) + letter + text.slice(at + 1),
    text.slice(0, at) + text.slice(at + 1),
    `${text.slice(0, at)}${letter}${text.slice(at)}`,
  ][random.below(3)] as string;
}
