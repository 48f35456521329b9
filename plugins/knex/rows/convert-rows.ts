/** Converts objects to rows and back. A property has the name of its column in camel case. */
import { type RowOf, TABLES, type Table, type TableName } from '#migrations'
import { copiedColumns, type Row, toValue } from './tables.js'

/** `createdAt` for `created_at`. */
type PropertyOf<Column> = Column extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<PropertyOf<Rest>>}`
  : Column & string

type ValuesOf<Name extends TableName> = { [Column in keyof RowOf<Name> as PropertyOf<Column>]: RowOf<Name>[Column] }

/** The description of a table does not tell which words a column may have. */
type ReadValuesOf<Name extends TableName> = {
  [Column in keyof RowOf<Name> as PropertyOf<Column>]: RowOf<Name>[Column] extends string | null
    ? Row[string]
    : RowOf<Name>[Column]
}

/** Converts an object to a new row. Properties without a column are left out. */
export const toRow = <Name extends TableName>(name: Name, values: ValuesOf<Name>): RowOf<Name> =>
  toColumns(name, values) as RowOf<Name>

/** Converts the changes of an update. Undefined values are left out, so that their columns stay unchanged. */
export const toChangedColumns = <Name extends TableName>(
  name: Name,
  changes: { [Property in keyof ValuesOf<Name>]?: ValuesOf<Name>[Property] | undefined },
): Row => toColumns(name, changes)

function toColumns(name: TableName, values: Row): Row {
  const row: Row = {}
  for (const { column, property } of PROPERTIES[name]) {
    if (values[property] !== undefined) row[column.name] = values[property]
  }
  return row
}

/** Converts a row to an object. `omitted`: columns that the object does not have. */
export function fromRow<Name extends TableName, Omitted extends keyof RowOf<Name> = never>(
  name: Name,
  row: Row,
  ...omitted: Omitted[]
): Omit<ReadValuesOf<Name>, PropertyOf<Omitted>> {
  const values: Row = {}
  for (const { column, property } of PROPERTIES[name]) {
    if (!omitted.includes(column.name as Omitted)) values[property] = toValue(column, row[column.name])
  }
  return values as ReadValuesOf<Name>
}

/** The words of a list that is stored with spaces between them. */
export const toWords = <Word extends string>(list: string): Word[] => list.split(' ').filter(Boolean) as Word[]

const propertiesOf = (table: Table) =>
  copiedColumns(table).map((column) => ({
    column,
    property: column.name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
  }))

const PROPERTIES = Object.fromEntries(
  Object.entries(TABLES).map(([name, table]) => [name, propertiesOf(table)]),
) as Record<TableName, ReturnType<typeof propertiesOf>>
