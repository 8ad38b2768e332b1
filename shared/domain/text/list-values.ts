/** Lists whose members belong to those of another one, by place: to the second postcode the second description. */
const beside: Readonly<Record<string, string>> = { sPostcodeDescriptions: 'sPostcodeList' };

/** The list to whose members those of a field belong; undefined: it stands alone. */
export const listBeside = (field: string): string | undefined =>
  Object.hasOwn(beside, field) ? beside[field] : undefined;

const isBlank = (text: string): boolean => text.trim() === '';

/**
 * The values of a field's lines: those that are not blank. `other`: the lines of the list that they belong to, if there is one. If not each of
 * its members has one, a line belongs to the member on the same line, and a blank one between others keeps its place. Nothing that is filled
 * in is dropped: beside a blank line there, the lines are counted instead.
 */
export function listValues(lines: readonly string[], other: readonly string[] | undefined): string[] {
  const filled = lines.filter((line) => !isBlank(line));
  if (other === undefined || filled.length === other.filter((line) => !isBlank(line)).length) return filled;
  const hasMember = (_: string, at: number): boolean => !isBlank(other[at] ?? '-');
  const kept = lines.every((line, at) => isBlank(line) || hasMember(line, at)) ? lines.filter(hasMember) : lines;
  return kept.slice(0, kept.findLastIndex((line) => !isBlank(line)) + 1);
}
