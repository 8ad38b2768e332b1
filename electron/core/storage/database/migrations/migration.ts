/** One step of the schema, applied in one transaction. */
export interface Migration {
  number: number;
  name: string;
  /** The result of `describeTables` after this step, by which a damaged schema is recognised. When it is wrong, the migrations' test prints the right one. */
  tables?: string;
  sql: string;
}
