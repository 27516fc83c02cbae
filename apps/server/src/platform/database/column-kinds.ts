/** A column that queries return as one type, and that accepts another type when it is written. */
export interface Column<Read, Write> {
  read: Read
  write: Write
}
/** A column that the database fills if an insert leaves it out. */
export interface Default<T> {
  filled: T
}
/** A column that only the database can write, such as an identity column or a computed column. */
export interface Generated<T> {
  generated: T
}

/** `timestamptz`: read as a string in UTC with all its microseconds. */
export type Moment = Column<string, Date | string>
/**
 * `numeric`: read as a string, because a JavaScript number could round it. Queries that need a number cast it to
 * `float8`.
 */
export type Numeric = Column<string, number | string>
/** `jsonb`: read and written as the value itself. */
export type Json<T> = Column<T, T>
/** A PostgreSQL array. */
export type List<T> = Column<T[], readonly T[]>
