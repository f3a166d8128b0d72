import { Command, Option } from 'commander';
import { commaSeparated, wholeNumber } from '../../terminal/arguments.ts';
import { type CleanUp, withCleanUp } from './clean-up.ts';
import { type Disk, describeMachine, loadAverage } from './machine.ts';

/** Parts that each benchmark defines itself. */
interface Benchmark<Choices extends Options> {
  readonly name: string;
  readonly description: string;
  readonly options: Choices;
  measure(chosen: Chosen<Choices>, cleanUp: CleanUp): Promise<Measured>;
}

/** Options by name: `warmUp` is `--warm-up` on the command line. */
type Options = Readonly<Record<string, Choice>>;

interface Choice<Value = unknown> {
  readonly placeholder: string;
  readonly description: string;
  readonly parse: (text: string) => Value;
  /** Undefined: the option may be absent. */
  readonly preset: Value;
}

/** Values of options from the command line. */
type Chosen<Choices extends Options> = {
  readonly [Name in keyof Choices]: ReturnType<Choices[Name]['parse']>;
};

/** Members of the report that are specific to a benchmark, and inputs for the common members. */
interface Measured {
  /** The measured PostgreSQL, which still runs; null without one. */
  readonly postgres: { readonly url: string } | null;
  readonly disk?: Disk;
  /** Load average at the end of the measured part, if other work follows. */
  readonly loadAtEnd?: number;
  readonly [member: string]: unknown;
}

/** A whole number with a default. */
export function count(description: string, preset: number): Choice<number> {
  return { placeholder: '<n>', description, parse: wholeNumber, preset };
}

/** A whole number that may be absent. */
export function optionalCount(description: string): Choice<number | undefined> {
  return { placeholder: '<n>', description, parse: wholeNumber, preset: undefined };
}

/** A text that may be absent. */
export function optionalText(placeholder: string, description: string): Choice<string | undefined> {
  return { placeholder, description, parse: (text) => text, preset: undefined };
}

/** Names separated by commas, which may be absent. */
export function optionalNames(description: string): Choice<string[] | undefined> {
  return { placeholder: '<names>', description, parse: commaSeparated, preset: undefined };
}

/** An option without a value. */
export function flag(description: string): Choice<boolean> {
  return { placeholder: '', description, parse: () => true, preset: false };
}

/** Creates the command of a benchmark, which prints one JSON document on stdout. */
export function benchmark<Choices extends Options>(of: Benchmark<Choices>): Command {
  const command = new Command(of.name).description(of.description);
  for (const [name, { placeholder, description, parse, preset }] of Object.entries(of.options)) {
    const dashed = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const option = new Option(`--${dashed} ${placeholder}`.trim(), description).argParser(parse);
    command.addOption(preset === undefined ? option : option.default(preset));
  }
  return command.action(async (chosen: Chosen<Choices>) => {
    const report = await withCleanUp((cleanUp) => reportOf(of, chosen, cleanUp));
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  });
}

async function reportOf<Choices extends Options>(
  { name, measure }: Benchmark<Choices>,
  chosen: Chosen<Choices>,
  cleanUp: CleanUp,
): Promise<object> {
  const startedAt = new Date().toISOString();
  const start = loadAverage();
  const { postgres, disk, loadAtEnd, ...measured } = await measure(chosen, cleanUp);
  return {
    startedAt,
    benchmark: name,
    machine: await describeMachine(postgres),
    ...(disk && { disk }),
    loadAverage: { start, end: loadAtEnd ?? loadAverage() },
    ...measured,
  };
}
