export type JsonObject = Readonly<Record<string, unknown>>;

/** An object of JSON, recognised by hand: a schema's copy of 200,000 members, for each look at one of them, took seconds. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Any value of JSON as text; none as an empty one, nested ones as JSON, so that nothing is lost. */
export function jsonText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
