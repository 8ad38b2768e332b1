// js-yaml 4 ships no types; only what is used here is declared.
declare module 'js-yaml' {
  /** Strings, numbers, booleans, null, lists and tables: no dates, no merge keys, no tags of a language. */
  export const JSON_SCHEMA: unknown;
  /** Throws where the text is not one YAML document. */
  export function load(text: string, options: { schema: unknown }): unknown;
}
