import type { ObjectShape, Shape } from '../../src/verifier/bundle/form.ts';

/** Converts a shape to JSON Schema, draft 2020-12. */
export function jsonSchema(shape: Shape, title: string): object {
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schemaOf(shape), title };
}

function schemaOf(shape: Shape): object {
  const { description } = shape;
  return { ...rulesOf(shape), ...(description !== undefined && { description }) };
}

function rulesOf(shape: Shape): object {
  switch (shape.kind) {
    case 'text': {
      const { maxLength, format, pattern } = shape;
      return {
        type: 'string',
        ...(maxLength !== undefined && { maxLength }),
        ...(format !== undefined && { format }),
        ...(pattern !== undefined && { pattern: pattern.source }),
      };
    }
    case 'integer':
      return { type: 'integer', minimum: shape.min, maximum: shape.max };
    case 'flag':
      return { type: 'boolean' };
    case 'null':
      return { type: 'null' };
    case 'choice': {
      const [only, ...others] = shape.values;
      const rule = others.length === 0 ? { const: only } : { enum: shape.values };
      return { type: typeof only, ...rule };
    }
    case 'nullable':
      return { anyOf: [schemaOf(shape.of), { type: 'null' }] };
    case 'list':
      return { type: 'array', items: schemaOf(shape.of), maxItems: shape.maxLength };
    case 'object':
      return objectRules(shape);
    case 'either':
      return { oneOf: shape.shapes.map(schemaOf) };
  }
}

function objectRules({ members }: ObjectShape): object {
  const properties = Object.entries(members).map(([name, each]) => [name, schemaOf(each)]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: Object.keys(members),
    additionalProperties: false,
  };
}
