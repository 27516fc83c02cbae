import type { DatabaseConnection } from '../platform/database/embedded/embedded-postgres.ts'
import type { Database, Sql } from '../platform/database/database.ts'

/** The address of the shop's database, or the connection to the embedded PostgreSQL. */
export type DatabaseSource = { url: string } | { connection: DatabaseConnection }

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Returns the name of a demo's database. Throws unless the id is a UUID, because the name becomes part of a statement.
 */
export function demoDatabaseName(id: string): string {
  if (!UUID.test(id)) throw new Error('The id of a demo must be a UUID.')
  return `pegasus_demo_${id.replaceAll('-', '')}`
}

/** Returns the source of a demo's database, which is on the same PostgreSQL server as the shop's database. */
export function demoSource(source: DatabaseSource, id: string): DatabaseSource {
  const database = demoDatabaseName(id)
  if ('connection' in source) return { connection: { ...source.connection, database } }
  const url = new URL(source.url)
  url.pathname = `/${database}`
  return { url: url.href }
}

/** Whether the database account of the shop may create databases. */
export async function mayCreateDatabases({ sql }: Database): Promise<boolean> {
  const [row] = await sql<{ may: boolean }[]>`
    select rolcreatedb or rolsuper as may from pg_roles where rolname = current_user`
  return row?.may === true
}

/** Creates the empty database of a demo, with the collation of the shop's database. */
export async function createDemoDatabase({ sql }: Database, id: string): Promise<void> {
  const [shop] = await sql<{ locale: string | null }[]>`
    select case when datlocprovider = 'c' and datcollate = datctype then datcollate end as locale
    from pg_database where datname = current_database()`
  const locale = shop?.locale && /^[\w.@-]+$/.test(shop.locale) ? ` locale '${shop.locale}'` : ''
  const name = demoDatabaseName(id)
  await outsideTransaction(sql, `create database ${name} template template0 encoding 'UTF8'${locale}`)
}

/** Removes the database of a demo, and ends all connections to it. Does nothing if there is none. */
export async function dropDemoDatabase({ sql }: Database, id: string): Promise<void> {
  await outsideTransaction(sql, `drop database if exists ${demoDatabaseName(id)} with (force)`)
}

/** Runs a statement that may take long outside a transaction, on its own connection and without a timeout. */
async function outsideTransaction(sql: Sql, statement: string): Promise<void> {
  const connection = await sql.reserve()
  try {
    await connection.unsafe('set statement_timeout = 0')
    await connection.unsafe(statement)
    await connection.unsafe('reset statement_timeout')
  } finally {
    connection.release()
  }
}
