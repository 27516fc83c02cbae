/** A column with different types for reading and writing. */
export interface Column<Read, Write> {
  read: Read
  write: Write
}
/** A column that the database fills if an insert leaves it out. */
export interface Default<T> {
  filled: T
}
/** A column that only the database writes: an identity, or computed. */
export interface Generated<T> {
  generated: T
}

/** `timestamptz`: read as a text in UTC with all its microseconds. */
export type Moment = Column<string, Date | string>
/** `numeric`: read as its exact text. A query that wants a number casts it to `float8`. */
export type Numeric = Column<string, number | string>
/** `jsonb`: read and written as the value itself. */
export type Json<T> = Column<T, T>
/** An array. */
export type List<T> = Column<T[], readonly T[]>
