import { isDeepStrictEqual } from 'node:util'
import {
  type ExtraEntity,
  type ExtraField,
  type ExtraFieldBody,
  MAX_EXTRA_FIELDS,
} from '@pegasus/contracts/filament/spoolman-fields'
import { v7 as uuidv7 } from 'uuid'
import type { AuditContext } from '../../../../platform/actor.ts'
import type { Database, TransactionSql } from '../../../../platform/database/database.ts'
import { AppError } from '../../../../platform/errors/app-error.ts'
import { writeAudit } from '../../../audit/index.ts'
import { malformed } from '../spoolman-errors.ts'
import {
  type ExtraFieldRow,
  deleteExtraField,
  insertExtraField,
  listExtraFields,
  listExtraValues,
  lockExtraFields,
  updateExtraField,
} from './extra-fields.queries.ts'
import { faultOfValue } from './extra-values.ts'

/** A definition with its key. */
export type NamedField = ExtraFieldBody & { key: string }

/** The definitions of extra fields. */
export interface ExtraFields {
  list(entity: ExtraEntity): Promise<ExtraField[]>
  /** Returns the distinct values of a field that are in use. Throws NOT_FOUND. */
  values(entity: ExtraEntity, key: string): Promise<string[]>
  /** Adds or changes a field. Throws MALFORMED_REQUEST for a definition that contradicts itself or the stored one. */
  save(entity: ExtraEntity, field: NamedField, by: AuditContext): Promise<void>
  /** Removes a field and all its values. Throws NOT_FOUND. */
  remove(entity: ExtraEntity, key: string, by: AuditContext): Promise<void>
  /**
   * Replaces all fields. Fields that are not listed are removed with their values. Throws MALFORMED_REQUEST.
   */
  replaceAll(entity: ExtraEntity, fields: readonly NamedField[], by: AuditContext): Promise<void>
}

export const presentExtraField = (row: ExtraFieldRow): ExtraField => ({
  key: row.key,
  entity_type: row.entity,
  name: row.name,
  order: row.position,
  ...(row.unit !== null && { unit: row.unit }),
  field_type: row.field_type,
  ...(row.default_value !== null && { default_value: row.default_value }),
  ...(row.choices !== null && { choices: row.choices }),
  ...(row.multi_choice !== null && { multi_choice: row.multi_choice }),
})

const columnsOf = (field: ExtraFieldBody) => ({
  name: field.name,
  position: field.order,
  unit: field.unit ?? null,
  field_type: field.field_type,
  default_value: field.default_value ?? null,
  choices: field.choices ?? null,
  multi_choice: field.multi_choice ?? null,
})

/** Throws MALFORMED_REQUEST with Spoolman's message if a definition contradicts itself. */
function assertConsistent(field: ExtraFieldBody): void {
  const columns = columnsOf(field)
  const isChoice = field.field_type === 'choice'
  if (isChoice && columns.choices === null) throw malformed('Choices must be set for field type choice.')
  if (isChoice && columns.multi_choice === null)
    throw malformed('Multi choice must be set for field type choice.')
  if (!isChoice && columns.choices !== null)
    throw malformed('Choices must not be set for field type other than choice.')
  if (!isChoice && columns.multi_choice !== null)
    throw malformed('Multi choice must not be set for field type other than choice.')
  if (columns.default_value === null) return
  const fault = faultOfValue(columns, columns.default_value)
  if (fault !== null) throw malformed(`Default value is not valid: ${fault}`)
}

/** Throws MALFORMED_REQUEST for a changed definition that stored values may not fit. */
function assertKeepsValues(known: ExtraFieldRow, field: ExtraFieldBody): void {
  if (known.field_type !== field.field_type) throw malformed('Field type cannot be changed.')
  if (known.multi_choice !== (field.multi_choice ?? null)) throw malformed('Multi choice cannot be changed.')
  if (known.choices?.some((choice) => !field.choices?.includes(choice)))
    throw malformed('Cannot remove existing choices.')
}

const fieldEntity = ({ id, entity, name }: Pick<ExtraFieldRow, 'id' | 'entity' | 'name'>) =>
  ({ entity: 'extra_field', entityId: id, entityName: `${name} (${entity})` }) as const

/**
 * Returns a field as the audit stores it. The property `key` gets another name, because the audit refuses properties of
 * that name: they may contain a secret.
 */
const auditedField = (row: ExtraFieldRow) => {
  const { key, ...field } = presentExtraField(row)
  return { ...field, field: key }
}

export function createExtraFields({ database }: { database: Database }): ExtraFields {
  const store = async (
    tx: TransactionSql,
    entity: ExtraEntity,
    { key, ...field }: NamedField,
    known: ExtraFieldRow | undefined,
    by: AuditContext,
  ): Promise<void> => {
    assertConsistent(field)
    if (known) assertKeepsValues(known, field)
    const columns = columnsOf(field)
    const row = { id: known?.id ?? uuidv7(), entity, key, ...columns }
    if (known && isDeepStrictEqual(auditedField(known), auditedField(row))) return
    if (known) await updateExtraField(tx, known.id, { ...columns, updated_at: by.now })
    else await insertExtraField(tx, { ...row, created_at: by.now, updated_at: by.now })
    const sides = { ...(known && { before: auditedField(known) }), after: auditedField(row) }
    const action = known ? 'extra_field.updated' : 'extra_field.added'
    await writeAudit(tx, { action, ...fieldEntity(row), ...sides }, by)
  }

  const erase = async (tx: TransactionSql, row: ExtraFieldRow, by: AuditContext): Promise<void> => {
    await deleteExtraField(tx, row, by.now)
    const event = { ...fieldEntity(row), before: auditedField(row) }
    await writeAudit(tx, { action: 'extra_field.removed', ...event }, by)
  }

  const missing = (key: string, entity: ExtraEntity) =>
    new AppError('NOT_FOUND', {
      body: { message: `Extra field with key ${key} does not exist for entity type ${entity}` },
    })

  return {
    list: async (entity) => (await listExtraFields(database.sql, entity)).map(presentExtraField),

    async values(entity, key) {
      const field = (await listExtraFields(database.sql, entity)).find((each) => each.key === key)
      if (!field) throw missing(key, entity)
      return field.field_type === 'text' || field.field_type === 'choice'
        ? listExtraValues(database.sql, field)
        : []
    },

    save: (entity, field, by) =>
      database.transaction(async (tx) => {
        const known = await lockExtraFields(tx, entity)
        const same = known.find(({ key }) => key === field.key)
        if (!same && known.length >= MAX_EXTRA_FIELDS)
          throw malformed(`Cannot add another extra field for ${entity}, the maximum is ${MAX_EXTRA_FIELDS}.`)
        await store(tx, entity, field, same, by)
      }),

    remove: (entity, key, by) =>
      database.transaction(async (tx) => {
        const row = (await lockExtraFields(tx, entity)).find((each) => each.key === key)
        if (!row) throw missing(key, entity)
        await erase(tx, row, by)
      }),

    async replaceAll(entity, fields, by) {
      if (fields.length > MAX_EXTRA_FIELDS)
        throw malformed(`There are at most ${MAX_EXTRA_FIELDS} extra fields for ${entity}.`)
      const keys = new Set(fields.map(({ key }) => key))
      if (keys.size < fields.length) throw malformed('The setting contains duplicate extra field keys.')
      await database.transaction(async (tx) => {
        const known = await lockExtraFields(tx, entity)
        for (const row of known) if (!keys.has(row.key)) await erase(tx, row, by)
        for (const field of fields)
          await store(
            tx,
            entity,
            field,
            known.find(({ key }) => key === field.key),
            by,
          )
      })
    },
  }
}
