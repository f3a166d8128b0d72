/** A fact as the domain states it: what happened, without envelope. */
export interface EventOf<Type extends string, Data extends object> {
  readonly type: Type;
  readonly data: Data;
}

/**
 * A fact as the log holds it. `recordedAt` is `YYYY-MM-DDTHH:MM:SS.sssZ`, set when it was appended.
 * `erased` is true where the organisation's keys were destroyed: the confidential fields of `data`
 * are then absent, and only the clear ones may be read.
 */
export type Recorded<Event> = Event & {
  readonly recordedAt: string;
  readonly erased?: boolean;
};

/**
 * How one type of event is stored. `schema` is the number written today. `clear` names the fields
 * of `data` that are stored readable; every other field is confidential and is sealed. `upcasts`
 * brings the data of an older schema n to n + 1.
 */
export interface EventDefinition<Data> {
  readonly schema: number;
  readonly clear: readonly (keyof Data & string)[] | ((data: Data) => readonly string[]);
  readonly upcasts?: Readonly<
    Record<number, (data: Record<string, unknown>) => Record<string, unknown>>
  >;
}

/** One definition for every member of a union of events, checked by the compiler. */
export type DefinitionsOf<Event extends EventOf<string, object>> = {
  readonly [Type in Event['type']]: EventDefinition<Extract<Event, { type: Type }>['data']>;
};
