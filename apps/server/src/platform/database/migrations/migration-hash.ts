import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasErrorCode } from '../../storage/durable-files.ts'
import { normalizeSql } from './split-statements.ts'

/**
 * The file in the folder of the migrations that lists the hashes of earlier versions. Those versions hashed a migration
 * with its comments. Each line contains a name, the hash that they stored, and the hash of the same statements without
 * comments. A name with a number, such as `0097-channels.sql:2`, is for the first statements of a migration in steps.
 */
const EARLIER_HASHES = 'earlier-hashes.txt'

/** The hashes of statements without comments, by the hash that an earlier version stored for the same statements. */
export type EarlierHashes = ReadonlyMap<string, string>

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Returns the hash of SQL without its comments and its white space, so that comments can be reworded. */
export const hashOf = (sql: string): string => sha256Of(normalizeSql(sql))

/** Whether a stored hash belongs to these statements, also if an earlier version stored it. */
export const isHashOf = (stored: string, sql: string, earlier: EarlierHashes): boolean =>
  hashOf(sql) === (earlier.get(stored) ?? stored) || sha256Of(sql) === stored

/** Reads the hashes of earlier versions. Returns an empty map for a folder without such a list. */
export async function readEarlierHashes(folder: string): Promise<EarlierHashes> {
  const list = await readFile(join(folder, EARLIER_HASHES), 'utf8').catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT')) return ''
    throw error
  })
  return new Map(
    list
      .split('\n')
      .map((line) => line.split(' '))
      .flatMap(([, stored, statements]) => (stored && statements ? [[stored, statements]] : [])),
  )
}
