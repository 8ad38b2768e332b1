import { policySchema } from '../core/policy/policy-schema.ts';

/** The parent of all Group Policy settings, present on every Windows computer. */
export const policiesKey = 'HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies';

/** Where Group Policy writes what the template (build/policy/address-console.admx) sets. Only administrators can write below it. */
export const registryKey = `${policiesKey}\\Address Console`;

/**
 * Turns what `reg query <key> /s` prints into a policy's value: settings are in the key itself, lists in a key of their own
 * with a numbered value an entry. Names are the policy's, in any case; a name of no setting stays, so that reading refuses it.
 */
export function readRegistryPolicy(printed: string): Record<string, unknown> {
  const policy: Record<string, unknown> = { version: 1 };
  let list: string | null = null;
  for (const line of printed.split(/\r?\n/)) {
    if (/^HKEY_/i.test(line)) {
      const below = line.slice(registryKey.length + 1).trim();
      list = below === '' ? null : settingName(below);
      // An empty list in Group Policy leaves its key behind: nothing is allowed then.
      if (list !== null) policy[list] ??= [];
      continue;
    }
    if (line.trim() === '') continue;
    // A line of another form is a value too, of a type that reg.exe has no name for: named by the whole line, so that reading refuses it.
    const [, name = line.trim(), type = '', text = ''] = /^ {4}(.+?) {4}REG_([A-Z_]+)(?: {4}(.*))?$/.exec(line) ?? [];
    if (list === null) policy[settingName(name)] = readValue(settingName(name), type, text);
    else (policy[list] as unknown[]).push(readValue(list, type, text));
  }
  return policy;
}

function settingName(name: string): string {
  return Object.keys(policySchema.shape).find((known) => known.toLowerCase() === name.toLowerCase()) ?? name;
}

/** Numbers are printed as 0x…; a setting that is yes or no is 1 or 0. */
function readValue(name: string, type: string, text: string): unknown {
  if (type !== 'DWORD') return text;
  const number = Number(text);
  const schema = policySchema.shape[name as keyof typeof policySchema.shape];
  return schema?.safeParse(true).success && (number === 0 || number === 1) ? number === 1 : number;
}
