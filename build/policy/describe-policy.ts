import { z } from 'zod';
import { policySchema } from '../../electron/core/policy/policy-schema.ts';

/** One setting of the policy, with what the templates need. */
export interface PolicySetting {
  name: string;
  title: string;
  description: string;
  kind: 'flag' | 'number' | 'choice' | 'text' | 'list';
  /** For a choice. */
  choices: string[];
  /** For a number. */
  least: number;
  most: number;
}

interface JsonProperty {
  title?: string;
  description?: string;
  type?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
}

/** The policy's JSON Schema, with which editors and management tools validate a policy file. */
export function policyJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(policySchema, { target: 'draft-7', io: 'input' }) as Record<string, unknown>;
}

const kindOf = (property: JsonProperty): PolicySetting['kind'] => {
  if (property.enum) return 'choice';
  if (property.type === 'boolean') return 'flag';
  if (property.type === 'integer') return 'number';
  return property.type === 'array' ? 'list' : 'text';
};

/** Every setting that an administrator can fix. */
export function policySettings(): PolicySetting[] {
  const properties = policyJsonSchema().properties as Record<string, JsonProperty>;
  return Object.entries(properties)
    .filter(([name]) => name !== '$schema' && name !== 'version')
    .map(([name, property]) => ({
      name,
      title: property.title ?? name,
      description: property.description ?? '',
      kind: kindOf(property),
      choices: property.enum ?? [],
      least: property.minimum ?? 0,
      most: property.maximum ?? 0,
    }));
}
