import type { StoredEvent } from '../event-store/stored-event.ts';
import type { FieldsOf, Projection } from '../subscriptions/projection.ts';

/**
 * Events on their way between threads: their values one after the other. Objects would carry the
 * name of each field of each event.
 */
export type HandedEvents = readonly unknown[];

type Condensed = Pick<Projection, 'types' | 'fields'>;

const whole = -1;

/** Leaves out fields that the projection does not need (`Projection.fields`). */
export function handOverEvents({ types, fields = {} }: Condensed, events: readonly StoredEvent[]) {
  const numbers = new Map<string, number>(types.map((type, number) => [type, number]));
  const values: unknown[] = [];
  for (const event of events) {
    const wanted: readonly string[] | undefined = fields[event.type];
    if (wanted === undefined) {
      values.push(whole, event);
      continue;
    }
    const { position, organisationId, stream, version, eventId, recordedAt } = event;
    values.push(numbers.get(event.type), position, organisationId, stream, version, eventId);
    values.push(recordedAt, event.erased === true);
    const data = event.data as Readonly<Record<string, unknown>>;
    for (const field of wanted) values.push(data[field]);
  }
  return values as HandedEvents;
}

/** Reverses `handOverEvents`. */
export function takeEvents({ types, fields = {} }: Condensed, values: HandedEvents): StoredEvent[] {
  const events: StoredEvent[] = [];
  const fieldsOf = types.map((type) => (fields as FieldsOf)[type] ?? []);
  for (let at = 0; at < values.length; ) {
    const number = values[at] as number;
    if (number === whole) {
      events.push(values[at + 1] as StoredEvent);
      at += 2;
      continue;
    }
    const event: Record<string, unknown> = {
      position: values[at + 1],
      organisationId: values[at + 2],
      stream: values[at + 3],
      version: values[at + 4],
      eventId: values[at + 5],
      type: types[number],
      recordedAt: values[at + 6],
      data: {},
      meta: {},
    };
    if (values[at + 7] === true) event.erased = true;
    at += 8;
    const data = event.data as Record<string, unknown>;
    for (const field of fieldsOf[number] ?? []) {
      data[field] = values[at];
      at += 1;
    }
    // `handOverEvents` wrote these values from an event.
    events.push(event as unknown as StoredEvent);
  }
  return events;
}
