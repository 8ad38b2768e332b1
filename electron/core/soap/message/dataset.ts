import { isNil, type XmlElement } from '../xml/element.ts';

/** One table of a data set: rows as text by column, null for a nil cell, absent if it was not sent. */
interface DataTable {
  name: string;
  columns: string[];
  rows: Record<string, string | null>[];
}

export interface DataSet {
  tables: DataTable[];
}

/** Tables of the family's data sets (field notes, "Data sets"). */
const familyTables: ReadonlySet<string> = new Set([
  'ListAddressPremise',
  'ListAddressThoroughfare',
  'Nearest',
  'Geographic',
  'AddressPremise',
  'License',
]);

/** A table of the family has about eighty columns; those beyond this are only in the raw answer. */
const mostColumns = 1000;

/** Parts of a diffgram that repeat rows as they were before a change, or report their errors. */
const notCurrent: ReadonlySet<string> = new Set(['before', 'errors']);

interface TableSchema {
  columns: string[];
}

const isSchema = (element: XmlElement): boolean => element.name === 'schema';

/** .NET writes what XML names cannot hold as `_xHHHH_` (XmlConvert.EncodeName). */
const decodeName = (name: string): string =>
  name.replace(/_x([0-9A-Fa-f]{4})_/g, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Elements of a schema with a complex type of simple elements only are tables; the data set's own element contains tables. */
function readSchema(element: XmlElement, found: Map<string, TableSchema>): void {
  for (const child of element.children) {
    const name = child.attributes.name;
    if (child.name === 'element' && name !== undefined) {
      const columns = columnsOf(child);
      if (columns.length > 0) found.set(name, { columns });
    }
    readSchema(child, found);
  }
}

function columnsOf(table: XmlElement): string[] {
  const type = table.children.find((child) => child.name === 'complexType');
  if (!type) return [];
  const group = type.children.find(
    (child) => child.name === 'sequence' || child.name === 'all' || child.name === 'choice',
  );
  const columns: string[] = [];
  for (const part of [...(group?.children ?? []), ...type.children]) {
    const name = part.attributes.name;
    if (name === undefined || (part.name !== 'element' && part.name !== 'attribute')) continue;
    if (part.children.some((child) => child.name === 'complexType')) return [];
    columns.push(name);
  }
  return columns;
}

/**
 * The tables of a data set, wherever they are: with or without schema or diffgram, found by local name. Tables that are neither of the
 * family nor in a schema are recognised by being repeated, or by being the leaf-holding children of the data set.
 */
export function readDataSet(result: XmlElement | undefined): DataSet {
  const schemas = new Map<string, TableSchema>();
  const tables = new Map<string, { columns: Set<string>; rows: DataTable['rows'] }>();
  if (result) {
    collectSchemas(result, schemas);
    for (const [name, schema] of schemas) tables.set(name, { columns: new Set(schema.columns), rows: [] });
    collectRows(result, schemas, tables);
  }
  return {
    tables: [...tables].map(([name, table]) => ({
      name: decodeName(name),
      columns: [...table.columns].map(decodeName),
      rows: table.rows,
    })),
  };
}

function collectSchemas(element: XmlElement, schemas: Map<string, TableSchema>): void {
  if (isSchema(element)) readSchema(element, schemas);
  else for (const child of element.children) collectSchemas(child, schemas);
}

type Tables = Map<string, { columns: Set<string>; rows: DataTable['rows'] }>;

function collectRows(element: XmlElement, schemas: ReadonlyMap<string, TableSchema>, tables: Tables): void {
  for (const child of element.children) {
    if (isSchema(child) || notCurrent.has(child.name)) continue;
    if (isRow(child, schemas)) addRow(child, tables);
    // A row of a known table may contain rows of another (nested relations): its own cells first, then those.
    if (child.children.length > 0) collectRows(child, schemas, tables);
  }
}

/** Parts of a data set that are neither rows nor cells, also where they are empty. */
const isFrame = (element: XmlElement): boolean => isSchema(element) || element.name === 'diffgram';

/** Under a known name: whatever has cells, or nothing at all. Under an unknown one: cells and nothing below them. */
function isRow(element: XmlElement, schemas: ReadonlyMap<string, TableSchema>): boolean {
  const isKnown = (name: string) => schemas.has(name) || familyTables.has(name);
  const isCell = (child: XmlElement) => child.children.length === 0 && !isKnown(child.name) && !isFrame(child);
  if (isNil(element) || isFrame(element)) return false;
  if (isKnown(element.name)) return element.children.length === 0 || element.children.some(isCell);
  return element.children.length > 0 && element.children.every(isCell);
}

function addRow(element: XmlElement, tables: Tables): void {
  let table = tables.get(element.name);
  if (!table) {
    table = { columns: new Set(), rows: [] };
    tables.set(element.name, table);
  }
  const cells = new Map<string, string | null>();
  const add = (name: string, value: string | null): void => {
    if (table.columns.size >= mostColumns && !table.columns.has(name)) return;
    table.columns.add(name);
    cells.set(decodeName(name), value);
  };
  // Columns mapped to attributes; the diffgram's own (diffgr:id, msdata:rowOrder, …) have a prefix.
  for (const [name, value] of Object.entries(element.attributes))
    if (name !== 'nil' && !name.includes(':')) add(name, value);
  for (const cell of element.children) if (cell.children.length === 0) add(cell.name, isNil(cell) ? null : cell.text);
  table.rows.push(Object.fromEntries(cells));
}

/** Texts of a data set that are in no row, such as a service's own words; not those of its schema, and of rows that were removed. */
export function wordsBesideRows(element: XmlElement): string {
  if (isSchema(element) || element.name === 'before') return '';
  return [element.text.trim(), ...element.children.map(wordsBesideRows)].filter((text) => text !== '').join(' ');
}
