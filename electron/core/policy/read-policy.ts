import type { z } from 'zod';
import { noPolicy, type Policy, type PolicyName, policyNames, policySchema, strictestPolicy } from './policy-schema.ts';

/** What was found at the start, and where. */
export interface MachinePolicy {
  /** none: there is no policy. broken: there is one and it cannot be used, so the strictest policy applies. */
  state: 'none' | 'read' | 'broken';
  /** A file's path, or the system's own name for its managed settings; null: none. */
  source: string | null;
  policy: Policy;
  /** More trusted roots, PEM: the contents of `extraCaFile`. */
  extraCa: string[];
  /** What an administrator should know, as texts for the window and the log. */
  notices: string[];
}

export const withoutPolicy: MachinePolicy = { state: 'none', source: null, policy: noPolicy, extraCa: [], notices: [] };

/** The strictest policy, and why. `reason` continues "cannot be used: ". */
export const brokenPolicy = (source: string, reason: string): MachinePolicy => ({
  state: 'broken',
  source,
  policy: strictestPolicy,
  extraCa: [],
  notices: [
    `The policy of this computer (${source}) cannot be used: ${reason}. Until it is corrected the strictest policy applies: only the demo service can be used.`,
  ],
});

/** A policy from the text of a JSON file. Never fails: a file that cannot be used gives the strictest policy. */
export function readPolicyText(text: string, source: string): MachinePolicy {
  let value: unknown;
  try {
    // Editors on Windows begin a file with a byte order mark.
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return brokenPolicy(source, 'it is not JSON');
  }
  const twice = findDouble(text);
  // Readers disagree about which of duplicate names counts.
  if (twice !== null) return brokenPolicy(source, `it has the setting “${twice}” twice`);
  return readPolicyValue(value, source);
}

/** A name that occurs twice in the outermost object of a JSON text; null: none. Further in a policy has no names. */
function findDouble(text: string): string | null {
  const seen = new Set<string>();
  let depth = 0;
  for (const { 0: token, 1: quoted } of text.matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (depth === 1 && quoted !== undefined) {
      const name = String(JSON.parse(quoted));
      if (seen.has(name)) return name;
      seen.add(name);
    }
  }
  return null;
}

/** A policy from a value, such as managed settings of the system. Never fails; `extraCa` stays empty (platform/policy-file reads it). */
export function readPolicyValue(value: unknown, source: string): MachinePolicy {
  const parsed = policySchema.safeParse(value);
  return parsed.success
    ? { state: 'read', source, policy: parsed.data, extraCa: [], notices: [] }
    : brokenPolicy(source, describeIssue(parsed.error));
}

function describeIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  if (!issue) return 'it does not fit the schema';
  if (issue.code === 'unrecognized_keys') return `it has a setting that this version does not know, “${issue.keys[0]}”`;
  const path = issue.path.map(String).join('.');
  return path === '' ? 'it is not a table of settings' : `its setting “${path}” has a value that is not allowed`;
}

/** The names of the settings a policy fixes: what the window marks as not the user's own. */
export function lockedNames({ policy }: MachinePolicy): PolicyName[] {
  return policyNames.filter((name) => policy[name] !== undefined);
}
