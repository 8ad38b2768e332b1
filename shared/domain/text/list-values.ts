/** Lists whose members belong to those of another one, by place: to the second postcode the second description. */
const beside: Readonly<Record<string, string>> = { sPostcodeDescriptions: 'sPostcodeList' };

/** The list to whose members those of a field belong; undefined: it stands alone. */
export const listBeside = (field: string): string | undefined =>
  Object.hasOwn(beside, field) ? beside[field] : undefined;

const isBlank = (text: string): boolean => text.trim() === '';

/**
 * The values of a field's lines: those that are not blank. Beside another list a blank line between others keeps its place, and a line is
 * dropped where that list's is blank. `other`: the lines of that list, if there is one.
 */
export function listValues(lines: readonly string[], other: readonly string[] | undefined): string[] {
  if (other === undefined) return lines.filter((line) => !isBlank(line));
  const kept = other.every(isBlank) ? lines : lines.filter((_, at) => !isBlank(other[at] ?? '-'));
  return kept.slice(0, kept.findLastIndex((line) => !isBlank(line)) + 1);
}
