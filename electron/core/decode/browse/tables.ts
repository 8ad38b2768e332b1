/** Values of an answer as rows and as paths, whatever its form. */

export interface Table {
  name: string;
  columns: string[];
  rows: (string | null)[][];
}

export interface Listed {
  fields: { path: string; value: string }[];
  count: number;
}

/** Longer cells are cut for the window; the raw text has them whole. */
const longestCell = 5000;
const mostFields = 2000;
/** Of one field in the list of all. */
const longestField = 500;
/** A data set of the service has about eighty columns. The window draws each: those beyond are counted in the last one's name. */
const mostColumns = 200;
const mostTables = 100;

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)} …` : text);

type Members = Record<string, unknown>;
const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function cell(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return cut(text, longestCell);
}

function tableOf(name: string, members: readonly Members[], known: readonly string[] = []): Table {
  const columns = [...known];
  const seen = new Set(columns);
  for (const member of members)
    for (const column of Object.keys(member))
      if (!seen.has(column)) {
        seen.add(column);
        columns.push(column);
      }
  const shown = columns.slice(0, mostColumns);
  const over = columns.length - shown.length;
  const rows = members.map((member) => [
    ...shown.map((column) => (Object.hasOwn(member, column) ? cell(member[column]) : null)),
    ...(over > 0 ? [null] : []),
  ]);
  const heads = shown.map((column) => cut(column, longestField));
  return { name, columns: over > 0 ? [...heads, `… ${over} more columns, in the raw text`] : heads, rows };
}

const isDataSet = (value: unknown): value is { tables: { name: string; columns: string[]; rows: Members[] }[] } =>
  isObject(value) &&
  Array.isArray(value.tables) &&
  value.tables.every((table) => isObject(table) && Array.isArray(table.rows) && Array.isArray(table.columns));

/** Lists of records anywhere in the value, each a table named by its member. */
function listsIn(name: string, value: unknown, found: Table[]): void {
  if (found.length >= mostTables) return;
  if (Array.isArray(value)) {
    const members = value.filter(isObject);
    if (members.length > 0) found.push(tableOf(name, members));
    else if (value.length > 0)
      found.push(
        tableOf(
          name,
          value.map((one) => ({ [name]: one })),
        ),
      );
    return;
  }
  if (!isObject(value)) return;
  for (const [member, inner] of Object.entries(value)) listsIn(member, inner, found);
}

/** An answer's tables: those of a data set, its lists, or the one record or value it is. */
export function tablesOf(value: unknown, name: string): Table[] {
  if (isDataSet(value))
    return value.tables.slice(0, mostTables).map((table) => tableOf(table.name, table.rows, table.columns));
  const lists: Table[] = [];
  listsIn(name, value, lists);
  if (lists.length > 0) return lists;
  if (!isObject(value))
    return value === null || value === undefined || value === '' ? [] : [tableOf(name, [{ [name]: value }])];
  // A single member that holds the record, as both JSON shapes have it, is only its wrapper.
  const [only, ...more] = Object.entries(value);
  if (only && more.length === 0 && isObject(only[1])) return [tableOf(only[0], [only[1]])];
  const scalars = Object.fromEntries(Object.entries(value).filter(([, member]) => !Array.isArray(member)));
  return Object.keys(scalars).length > 0 ? [tableOf(name, [scalars])] : [];
}

/** Every value with its path. The first are listed; all are counted, unless only the first are wanted. */
export function fieldsOf(value: unknown, only?: number): Listed {
  const most = only ?? mostFields;
  const fields: Listed['fields'] = [];
  let count = 0;
  const isEnough = (): boolean => only !== undefined && count >= only;
  const walk = (path: string, inner: unknown): void => {
    if (Array.isArray(inner)) {
      for (const [index, one] of inner.entries()) {
        if (isEnough()) return;
        walk(`${path}[${index}]`, one);
      }
    } else if (isObject(inner))
      for (const [member, one] of Object.entries(inner)) {
        if (isEnough()) return;
        walk(path === '' ? member : `${path}.${member}`, one);
      }
    else {
      count += 1;
      if (fields.length < most)
        fields.push({ path: cut(path || 'value', longestField), value: cut(cell(inner) ?? '', longestField) });
    }
  };
  walk('', isDataSet(value) ? Object.fromEntries(value.tables.map(({ name, rows }) => [name, rows])) : value);
  return { fields, count };
}
