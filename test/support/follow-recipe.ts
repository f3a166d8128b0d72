import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Recipe } from '../../src/http/quickstart/quickstart-schema.ts';
import { compileCache, folderOnDisk } from './run.ts';

/**
 * Follows a recipe of the quickstart to the letter; true if all expectations hold. Rejects if a command
 * fails or if the variables differ from those that the recipe needs.
 */
export async function followRecipe(
  recipe: Recipe,
  variables: Readonly<Record<string, string>>,
  cwd: string,
): Promise<boolean> {
  const missing = Object.keys(recipe.needs).filter((name) => variables[name] === undefined);
  if (missing.length > 0) throw new Error(`${recipe.name} needs ${missing.join(', ')}`);
  const env = { PATH: process.env.PATH, HOME: folderOnDisk, ...compileCache, ...variables };
  const given = new Map<string, string>();
  for (const { run, gives } of recipe.steps) {
    const { stdout } = await promisify(execFile)('sh', ['-c', run], { cwd, env });
    given.set(gives, stdout.trim());
  }
  return recipe.expect.every(({ value, equals }) => {
    const named = typeof equals === 'string' ? /^\{(\w+)\}$/.exec(equals)?.[1] : undefined;
    return memberAt(value, given) === (named === undefined ? equals : given.get(named));
  });
}

/** Value of `step`, or of `step.member.member` in that step's JSON. */
function memberAt(place: string, given: ReadonlyMap<string, string>): unknown {
  const [step = '', ...members] = place.split('.');
  const text = given.get(step);
  if (members.length === 0) return text;
  return members.reduce((at, member) => at[member], JSON.parse(String(text)));
}

/** The quickstart's recipe of this name. */
export function recipeOf(recipes: readonly Recipe[], name: string): Recipe {
  const recipe = recipes.find((one) => one.name === name);
  if (recipe === undefined) throw new Error(`there is no recipe ${name}`);
  return recipe;
}
