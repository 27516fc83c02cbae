import type { Queryable } from '../../../platform/database/database.ts'
import type { ObjectRow } from '../media.queries.ts'

/** A file by bucket and name. */
export interface ObjectPath {
  bucket: string
  name: string
}

/** Until the transaction ends, nobody else replaces, moves or removes it. */
export async function lockObject(tx: Queryable, { bucket, name }: ObjectPath): Promise<ObjectRow | null> {
  const [row] = await tx<ObjectRow[]>`
    select * from objects where bucket_id = ${bucket} and name = ${name} for update`
  return row ?? null
}

/** The name must be free. */
export async function renameObject(
  tx: Queryable,
  id: string,
  { bucket, name, version, now }: ObjectPath & { version: string; now: Date },
): Promise<void> {
  // It counts as changed: whoever keeps an older file of that name asks whether there is one younger than theirs.
  await tx`
    update objects set bucket_id = ${bucket}, name = ${name}, version = ${version}, updated_at = ${now}
    where id = ${id}`
}

/** What the hosted protocol tells of a file that was just copied. */
export async function getCopied(tx: Queryable, id: string): Promise<ObjectRow> {
  const [row] = await tx<[ObjectRow]>`select * from objects where id = ${id}`
  return row
}
