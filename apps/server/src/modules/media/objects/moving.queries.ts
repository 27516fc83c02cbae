import type { Queryable } from '../../../platform/database/database.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { ObjectRow } from '../media.queries.ts'

/** A file by bucket and name. */
export interface ObjectPath {
  bucket: string
  name: string
}

/** Locks the file until the transaction ends, so that nobody else replaces, moves or removes it. */
export const lockObject = (tx: Queryable, { bucket, name }: ObjectPath) =>
  firstRow(tx<ObjectRow[]>`
    select * from objects where bucket_id = ${bucket} and name = ${name} for update`)

/** The new name must be free. */
export async function renameObject(
  tx: Queryable,
  id: string,
  { bucket, name, version, now }: ObjectPath & { version: string; now: Date },
): Promise<void> {
  // Counts as a change, because a client with an older file of that name asks for a newer one.
  await tx`
    update objects set bucket_id = ${bucket}, name = ${name}, version = ${version}, updated_at = ${now}
    where id = ${id}`
}

/** The fields of a copied file in the hosted protocol. */
export async function getCopied(tx: Queryable, id: string): Promise<ObjectRow> {
  const [row] = await tx<[ObjectRow]>`select * from objects where id = ${id}`
  return row
}
