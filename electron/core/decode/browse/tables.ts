import { isJsonObject, type JsonObject, jsonText } from '../../../../shared/domain/text/json-values.ts';

/** Values of an answer as rows and as paths, whatever its form. */

/** Cells are whole texts; null: nil, or not sent. */
export interface Table {
  name: string;
  columns: string[];
  rows: (string | null)[][];
}

export interface Listed {
  fields: { path: string; value: string }[];
  count: number;
}

const mostFields = 2000;
/** Of one field in the list of all. */
export const longestField = 500;
/** A data set of the service has about eighty columns. The window draws each: those beyond are counted in the last one's name. */
const mostColumns = 200;
/** The service's data sets have six between them (dataset.ts). The window lists tables by name; the rows of those beyond are in one, the last. */
const mostTables = 100;

export const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)} …` : text);

const cell = (value: unknown): string | null => (value === null || value === undefined ? null : jsonText(value));

function tableOf(name: string, members: readonly JsonObject[], known: readonly string[] = []): Table {
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

/** A list of records. `columns`: those that are known beforehand, also if no record has them. */
interface Records {
  name: string;
  columns: string[];
  rows: JsonObject[];
}

function tablesFrom(all: readonly Records[]): Table[] {
  const tables = all.slice(0, mostTables).map(({ name, columns, rows }) => tableOf(name, rows, columns));
  const over = all.slice(mostTables);
  if (over.length === 0) return tables;
  const rows = over.flatMap(({ name, rows: some }) => some.map((row) => ({ 'In table': name, ...row })));
  return [...tables, tableOf(`${over.length} more tables`, rows)];
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isRecords = (table: unknown): table is Records =>
  isJsonObject(table) &&
  isText(table.name) &&
  Array.isArray(table.columns) &&
  table.columns.every(isText) &&
  Array.isArray(table.rows) &&
  table.rows.every(isJsonObject);

/** As `readDataSet` makes it; what only looks like one, as a service may send, is read as everything else. */
const isDataSet = (value: unknown): value is { tables: Records[] } =>
  isJsonObject(value) &&
  Array.isArray(value.tables) &&
  value.tables.every(isRecords) &&
  Object.keys(value).length === 1;

/** Lists of records anywhere in the value, each a table named by its member. */
function listsIn(name: string, value: unknown, found: Records[]): void {
  if (Array.isArray(value)) {
    const rows = value.map((one) => (isJsonObject(one) ? one : { [name]: one }));
    if (rows.length > 0) found.push({ name, columns: [], rows });
    return;
  }
  if (!isJsonObject(value)) return;
  for (const [member, inner] of Object.entries(value)) listsIn(member, inner, found);
}

/** An answer's tables: those of a data set, its lists, or the one record or value it is. */
export function tablesOf(value: unknown, name: string): Table[] {
  if (isDataSet(value)) return tablesFrom(value.tables);
  const lists: Records[] = [];
  listsIn(name, value, lists);
  if (lists.length > 0) return tablesFrom(lists);
  if (!isJsonObject(value))
    return value === null || value === undefined || value === '' ? [] : [tableOf(name, [{ [name]: value }])];
  // A single member that holds the record, as both JSON shapes have it, is only its wrapper.
  const [only, ...more] = Object.entries(value);
  if (only && more.length === 0 && isJsonObject(only[1])) return [tableOf(only[0], [only[1]])];
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
    } else if (isJsonObject(inner))
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
