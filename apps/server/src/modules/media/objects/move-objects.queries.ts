import type { Queryable } from '../../../platform/database/database.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { ObjectRow } from '../media.queries.ts'

/** The bucket and name of a file. */
export interface ObjectPath {
  bucket: string
  name: string
}

/** Locks the file until the transaction ends, so that no other transaction replaces, moves or removes it. */
export const lockObject = (tx: Queryable, { bucket, name }: ObjectPath) =>
  firstRow(tx<ObjectRow[]>`
    select * from objects where bucket_id = ${bucket} and name = ${name} for update`)

/** Moves a file to another bucket and name. The new name must be free. */
export async function renameObject(
  tx: Queryable,
  id: string,
  { bucket, name, version, now }: ObjectPath & { version: string; now: Date },
): Promise<void> {
  // The moved file gets a new date, because a client may have cached an older file under the new name.
  await tx`
    update objects set bucket_id = ${bucket}, name = ${name}, version = ${version}, updated_at = ${now}
    where id = ${id}`
}

/** Returns a copy with the fields of the hosted protocol. */
export async function getCopied(tx: Queryable, id: string): Promise<ObjectRow> {
  const [row] = await tx<[ObjectRow]>`select * from objects where id = ${id}`
  return row
}
