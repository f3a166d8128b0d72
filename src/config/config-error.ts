import { OperatorError } from '../errors/operator-error.ts';

/** The environment has mistakes. Each problem is a line that names a variable. */
export class ConfigError extends OperatorError {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`the configuration has mistakes:\n${problems.map((line) => `  ${line}`).join('\n')}`);
    this.problems = problems;
  }
}
