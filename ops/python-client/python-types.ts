/** A JSON schema of the OpenAPI document. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
}

/** Collects Python's types of JSON schemas: a TypedDict for each object with known members. */
export class PythonTypes {
  readonly #declared = new Map<string, string>();
  readonly #schemas = new Map<string, Schema>();

  /** Source text of all declarations, in the order of their names' first use. */
  get source(): string {
    return [...this.#declared.values()].join('\n\n');
  }

  /** Declares a type under this name. */
  declare(name: string, schema: Schema): void {
    if (this.#declared.has(name)) return;
    this.#schemas.set(name, schema);
    this.#declared.set(name, '');
    const type = this.of(schema, name, true);
    if (this.#declared.get(name) === '') this.#declared.set(name, `${name} = ${type}\n`);
  }

  /** True if objects of the declared type have this member, and it is typed. */
  requires(name: string, member: string): boolean {
    const { properties = {}, required = [], additionalProperties } = this.#schemas.get(name) ?? {};
    return additionalProperties === undefined && member in properties && required.includes(member);
  }

  /**
   * Python expression of a type. `name` is the name of an object without one of its own. `declares` is true
   * if the type is being declared under this name.
   */
  of(schema: Schema, name: string, declares = false): string {
    const { $ref, enum: values, type, items } = schema;
    if ($ref !== undefined) return quoted(String($ref.split('/').at(-1)));
    if (values !== undefined) return `Literal[${values.map(literal).join(', ')}]`;
    if ('const' in schema) return `Literal[${literal(schema.const)}]`;
    const options = schema.anyOf ?? schema.oneOf;
    if (options !== undefined) return this.#union(options, name);
    if (Array.isArray(type)) {
      return this.#union(
        type.map((one) => ({ ...schema, type: one })),
        name,
      );
    }
    if (type === 'array') return `List[${items ? this.of(items, `${name}Item`) : 'Any'}]`;
    if (type === 'object') return this.#object(schema, name, declares);
    return (typeof type === 'string' && simple[type]) || 'Any';
  }

  #union(options: readonly Schema[], name: string): string {
    const isNull = ({ type }: Schema) => type === 'null';
    const others = options.filter((option) => !isNull(option));
    const isMany = others.length > 1;
    const types = others.map((option, index) =>
      this.of(option, isMany ? `${name}${index + 1}` : name),
    );
    const distinct = [...new Set(types)];
    const union = distinct.length > 1 ? `Union[${distinct.join(', ')}]` : (distinct[0] ?? 'None');
    return others.length < options.length && union !== 'Any' ? `Optional[${union}]` : union;
  }

  #object(schema: Schema, name: string, declares: boolean): string {
    const { properties = {}, required = [], additionalProperties: more } = schema;
    const isOpen = more !== undefined && more !== false;
    const names = Object.keys(properties);
    if (isOpen || names.length === 0 || !names.every(isMemberName)) {
      const value = typeof more === 'object' ? this.of(more, `${name}Value`) : 'Any';
      return `Dict[str, ${value}]`;
    }
    if (!declares && this.#declared.has(name)) throw new Error(`two types are called ${name}`);
    this.#declared.set(name, '');
    const members = Object.entries(properties).map(([member, of]) => ({
      isRequired: required.includes(member),
      line: `    ${member}: ${this.of(of, name + capital(member))}\n`,
    }));
    const must = members.filter(({ isRequired }) => isRequired);
    const may = members.filter(({ isRequired }) => !isRequired);
    const linesOf = (some: typeof members) => some.map(({ line }) => line).join('');
    const head = `class ${name}(TypedDict`;
    this.#declared.delete(name);
    this.#declared.set(
      name,
      must.length === 0
        ? `${head}, total=False):\n${linesOf(may)}`
        : may.length === 0
          ? `${head}):\n${linesOf(must)}`
          : `class _${name}(TypedDict):\n${linesOf(must)}\n\n` +
            `class ${name}(_${name}, total=False):\n${linesOf(may)}`,
    );
    return quoted(name);
  }
}

const simple: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

export function capital(text: string): string {
  const letters = text.replace(/^_+/, '');
  return letters.charAt(0).toUpperCase() + letters.slice(1);
}

export function literal(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

/** Forward reference: declarations are in no order of dependence. */
function quoted(name: string): string {
  return `"${name}"`;
}

/** True for the name of a member that the syntax of classes permits. */
function isMemberName(name: string): boolean {
  return /^(?!(?:from|class|global|import|is|in|not|or|and|pass|def|del)$)_?[A-Za-z]\w*$/.test(
    name,
  );
}
