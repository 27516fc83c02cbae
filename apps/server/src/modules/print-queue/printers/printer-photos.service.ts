import { Readable } from 'node:stream'
import { v7 as uuidv7 } from 'uuid'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import type { ObjectStorage } from '../../../platform/storage/object-storage.ts'
import { type StoredFiles, listUnclaimedKeys } from '../../../platform/storage/unclaimed-files.ts'
import { trashCutoff } from '../../../platform/trash.ts'
import { writeAudit } from '../../audit/index.ts'
import { publish } from '../../events/index.ts'
import {
  type PrinterRow,
  findPrinter,
  listPhotoKeys,
  lockPrinter,
  updatePrinter,
} from './printers.queries.ts'

const PREFIX = 'printer-photos/'
/** The photos of printers in the storage. */
export const photoFiles: StoredFiles = { prefixes: [PREFIX], listNewestKeys: listPhotoKeys }

/** Photos of printers. Each call with an `id` throws PRINTER_NOT_FOUND if the printer does not exist. */
export interface PrinterPhotos {
  assertPrinter(id: string): Promise<void>
  /** Stores a photo, which is a WebP file, and replaces the previous one. */
  set(id: string, webp: Uint8Array, by: AuditContext): Promise<PrinterRow>
  /** Removes the photo. A printer without a photo stays unchanged. */
  remove(id: string, by: AuditContext): Promise<PrinterRow>
  /** Returns the storage key of the photo. Throws PRINTER_NO_PHOTO. */
  getKey(id: string): Promise<string>
  /**
   * Removes files that no printer uses: replaced and removed photos, photos of printers that can no longer be
   * restored, and leftovers of a crash. Returns the number of removed files.
   */
  removeOrphans(): Promise<number>
}

const get = async (sql: Queryable, id: string) => orThrow(await findPrinter(sql, id), 'PRINTER_NOT_FOUND')

export function createPrinterPhotos(deps: {
  database: Database
  storage: ObjectStorage
  clock: Clock
}): PrinterPhotos {
  const { database, storage, clock } = deps
  const { sql } = database

  const change = (id: string, key: string | null, by: AuditContext): Promise<PrinterRow> =>
    database.transaction(async (tx) => {
      if (!(await lockPrinter(tx, id))) throw new AppError('PRINTER_NOT_FOUND')
      const before = await get(tx, id)
      if (key === null && before.photo_key === null) return before
      await updatePrinter(tx, id, { photo_key: key }, by.now)
      const action = key === null ? 'printer.photo_removed' : 'printer.photo_added'
      await writeAudit(tx, { action, entity: 'printer', entityId: id, entityName: before.name }, by)
      await publish(tx, { type: 'updated', entity: 'printer', id })
      return get(tx, id)
    })

  return {
    async assertPrinter(id) {
      await get(sql, id)
    },

    async set(id, webp, by) {
      // Each photo has its own key. Otherwise, removing an old file could remove a new upload of the same bytes.
      const key = `${PREFIX}${id}/${uuidv7()}.webp`
      await storage.put(key, Readable.from([webp]))
      return change(id, key, by)
    },

    remove: (id, by) => change(id, null, by),

    async getKey(id) {
      const { photo_key: key } = await get(sql, id)
      if (key === null) throw new AppError('PRINTER_NO_PHOTO')
      return key
    },

    async removeOrphans() {
      const rows = await sql<{ photo_key: string }[]>`
        select photo_key from printers
        where photo_key is not null and (deleted_at is null or deleted_at > ${trashCutoff(clock.now())})`
      const used = new Set(rows.map(({ photo_key: key }) => key))
      let count = 0
      for await (const key of listUnclaimedKeys(deps, PREFIX)) {
        if (used.has(key)) continue
        await storage.delete(key)
        count += 1
      }
      return count
    },
  }
}
