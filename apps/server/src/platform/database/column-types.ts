import type { Column, Default, Generated } from './column-kinds.ts'
import type { Tables, Views } from './rows.ts'

type Read<C> =
  C extends Column<infer R, unknown> ? R : C extends Default<infer T> | Generated<infer T> ? Read<T> : C
type Write<C> = C extends Column<unknown, infer W> ? W : C extends Default<infer T> ? Write<T> : C

type Relations = Tables & Views

/** A row of a table or view as the driver returns it, with all columns or only the named ones. */
export type Row<
  Name extends keyof Relations,
  Columns extends keyof Relations[Name] = keyof Relations[Name],
> = {
  [C in Columns]: Read<Relations[Name][C]>
}

/** Numeric columns that a query casts to `float8`. */
export type Floats<Name extends keyof Relations, Columns extends keyof Relations[Name]> = {
  [C in Columns]: number | Extract<Relations[Name][C], null>
}

type Written<T> = { [C in keyof T as T[C] extends Generated<unknown> ? never : C]: T[C] }
type Optional<T> = {
  [C in keyof T]: null extends T[C] ? C : [T[C]] extends [Default<unknown>] ? C : never
}[keyof T]

type Changes<T> = { [C in keyof Written<T>]?: Write<T[C & keyof T]> | undefined }
/** The columns of a new row. Those that are nullable or have a default can be left out. */
export type Insert<Table extends keyof Tables> = Changes<Tables[Table]> & {
  [C in Exclude<keyof Written<Tables[Table]>, Optional<Tables[Table]>>]: Write<Tables[Table][C]>
}
/** New values of some columns. */
export type Update<Table extends keyof Tables> = Changes<Tables[Table]>
