import type { AuditContext } from '../../../platform/actor.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { orThrow } from '../../../platform/errors/app-error.ts'
import { writeAudit } from '../../audit/index.ts'
import { publishAll } from '../../events/index.ts'
import { ensureLocation } from '../../inventory/index.ts'
import { spoolName } from '../spools/spool-audit.ts'
import { findSpool } from '../spools/spool-list.queries.ts'
import { holdExtraFields } from './extra-fields/extra-fields.queries.ts'
import { changeExtra, isGroupable } from './extra-fields/extra-values.ts'
import { moveSpools, replaceExtraValue } from './spoolman-changes.queries.ts'
import { malformed } from './spoolman-errors.ts'
import { EXTRA } from './spoolman-lists.ts'

/**
 * Replaces one value in all spools, including archived ones, and returns how many spools had it. `field` is `location`,
 * or `extra.` with the key of a text field or a single-choice field. Throws MALFORMED_REQUEST for other fields, and for
 * a value that does not fit the field.
 */
export type RenameValue = (
  field: string,
  names: { from: string; to: string },
  by: AuditContext,
) => Promise<number>

/** Maximum length of a location in Spoolman. */
const MAX_LOCATION_LENGTH = 64

async function renameLocation(
  tx: Queryable,
  { from, to }: { from: string; to: string },
  by: AuditContext,
): Promise<string[]> {
  if (to.length > MAX_LOCATION_LENGTH)
    throw malformed(`A location can be at most ${MAX_LOCATION_LENGTH} characters.`)
  const locationId = await ensureLocation(tx, { location: to, bin: null }, by.now)
  return moveSpools(tx, { from, locationId, now: by.now })
}

async function renameExtraValue(
  tx: Queryable,
  field: string,
  { from, to }: { from: string; to: string },
  by: AuditContext,
): Promise<string[]> {
  const key = field.startsWith(EXTRA) ? field.slice(EXTRA.length) : null
  const fields = await holdExtraFields(tx, 'spool')
  const known = fields.find((each) => each.key === key)
  if (!known || !isGroupable(known))
    throw malformed(`Cannot rename values of '${field}'. Only a location or a spool's text can be renamed.`)
  const json = JSON.stringify(to)
  changeExtra([known], {}, { [known.key]: json })
  return replaceExtraValue(tx, { key: known.key, from: JSON.stringify(from), to: json, now: by.now })
}

export const createRenameValue =
  ({ database }: { database: Database }): RenameValue =>
  (field, { from, to }, by) =>
    database.transaction(async (tx) => {
      const ids =
        field === 'location'
          ? await renameLocation(tx, { from, to }, by)
          : await renameExtraValue(tx, field, { from, to }, by)
      for (const id of ids) {
        const row = orThrow(await findSpool(tx, id), 'SPOOL_NOT_FOUND')
        const sides = { before: { field, value: from }, after: { field, value: to } }
        const event = { entity: 'spool', entityId: id, entityName: spoolName(row), ...sides } as const
        await writeAudit(tx, { action: 'spool.updated', ...event }, by)
      }
      await publishAll(
        tx,
        ids.map((id) => ({ type: 'updated', entity: 'filament' as const, id })),
      )
      return ids.length
    })
